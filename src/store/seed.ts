import * as v from 'valibot'
import defaultFixture from '../../fixtures/default.json' with { type: 'json' }
import empty from '../../fixtures/empty.json' with { type: 'json' }
import int64Edges from '../../fixtures/int64-edges.json' with { type: 'json' }
import lowStock from '../../fixtures/low-stock.json' with { type: 'json' }
import soldOut from '../../fixtures/sold-out.json' with { type: 'json' }
import { isJsonObject } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'
import { must, type Schema } from '../http/schema.ts'
import { explainSource, type Fixture, type ImportedFixture, parseFixture } from './fixture.ts'
import { type ListSource, PetList } from './pet-list.ts'
import type { PetRecord, PetTable } from './pet-table.ts'

/** An initial state. It never changes, and all sandboxes that start from it share it. */
export interface Seed extends ListSource {
  /** The name or file of the fixture. */
  readonly name: string
  /** Not of a fixture that only has the name of a shipped one. */
  readonly isShipped: boolean
  readonly pets: Pick<PetTable, 'get' | 'values' | 'size'>
  readonly list: PetList
  at(position: number): PetRecord | undefined
}

/** @param pets A table that will not change, and from which no pet was deleted. */
export function createSeed(name: string, pets: PetTable, isShipped = false): Seed {
  const order = Array.from(pets.values())
  const listed = { length: order.length, at: (position: number) => order[position], added: () => [] }
  return { name, isShipped, pets, ...listed, list: new PetList(listed) }
}

/** The fixtures that come with the package, by name. */
export const SHIPPED_FIXTURES: Readonly<Record<string, Fixture>> = {
  default: defaultFixture as Fixture,
  empty: empty as Fixture,
  'low-stock': lowStock as Fixture,
  'sold-out': soldOut as Fixture,
  'int64-edges': int64Edges as Fixture,
}

export function isShippedFixture(name: string): boolean {
  return Object.hasOwn(SHIPPED_FIXTURES, name)
}

/** A shipped fixture's name, a fixture file's content, or a fixture as an object. */
export type FixtureSource = string | Fixture | ImportedFixture

/** The contents of a fixture are checked when it is loaded. @internal */
export const FIXTURE_SOURCE: Schema<FixtureSource> = v.custom<FixtureSource>(
  (value) => typeof value === 'string' || isJsonObject(value),
  (issue) => must("a shipped fixture's name, a file's content or an object")(issue) + explainSource(issue.input),
)

/** The name of a fixture that has none. Messages call it the fixture. */
const NO_NAME = 'custom'

/**
 * Creates a seed from a fixture.
 * @param name The name in messages and `GET /_mock/health`. A shipped fixture keeps its own name.
 * @param others Names of fixtures that are not shipped, for the message about an unknown one.
 * @throws {MockError} `UNKNOWN_FIXTURE` when no shipped fixture has this name.
 * @throws {FixtureError} when the fixture is invalid, naming every problem.
 */
export function loadSeed(source: FixtureSource, name: string = NO_NAME, others: readonly string[] = []): Seed {
  if (typeof source === 'string' && isShippedFixture(source))
    return createSeed(source, parseFixture(SHIPPED_FIXTURES[source], source), true)
  if (typeof source !== 'string' || /^\s*[[{]/.test(source))
    return createSeed(name, parseFixture(source, name === NO_NAME ? 'fixture' : name))
  const known = Array.from(new Set([...others, ...Object.keys(SHIPPED_FIXTURES)])).join(', ')
  throw new MockError(
    'UNKNOWN_FIXTURE',
    `Failed to load a fixture: there is none named ${showValue(source, 40)}. Use one of ${known}, the text of a JSON file, or an object.`,
  )
}

/**
 * Like `loadSeed()`, but the name of the mock's own seed returns that. A shipped fixture's name always means that one.
 * @throws {MockError} `UNKNOWN_FIXTURE` when no fixture has this name.
 * @throws {FixtureError}
 */
export function loadByName(source: FixtureSource, own: Seed): Seed {
  const isOwn = source === own.name && (own.isShipped || !isShippedFixture(own.name))
  return isOwn ? own : loadSeed(source, NO_NAME, [own.name])
}
