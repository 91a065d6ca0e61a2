import * as v from 'valibot'
import defaultFixture from '../../fixtures/default.json' with { type: 'json' }
import empty from '../../fixtures/empty.json' with { type: 'json' }
import int64Edges from '../../fixtures/int64-edges.json' with { type: 'json' }
import lowStock from '../../fixtures/low-stock.json' with { type: 'json' }
import soldOut from '../../fixtures/sold-out.json' with { type: 'json' }
import type { Bytes } from '../http/bytes.ts'
import { isJsonObject } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'
import { must, type Schema } from '../http/schema.ts'
import { writePetList } from '../inventory/pet.ts'
import { explainSource, type Fixture, type ImportedFixture, parseFixture, parseJsonText } from './fixture.ts'
import type { PetTable } from './pet-table.ts'

/** An initial state. It never changes, and all sandboxes that start from it share it. */
export interface Seed {
  /** The name or file of the fixture. */
  readonly name: string
  readonly description?: string | undefined
  readonly pets: Pick<PetTable, 'get' | 'values' | 'size'>
  /** Whether it was read from a stored state: its fixture may have been edited since. */
  readonly isStored: boolean
  /** The list as JSON. It is written once. */
  toList(): Bytes
}

/** @param pets A table that will not change. */
export function createSeed(
  name: string,
  pets: PetTable,
  { description, isStored = false }: Partial<Pick<Seed, 'description' | 'isStored'>> = {},
): Seed {
  let list: Bytes | undefined
  const toList = (): Bytes => {
    list ??= writePetList(pets.values())
    return list
  }
  return { name, description, pets, isStored, toList }
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

/** The fixtures of a mock, which its sandboxes share. */
export class Seeds {
  /** What every sandbox starts from and resets to. */
  initial: Seed
  /** Those of the option `fixtures`, and the shipped ones that were loaded. */
  readonly named: Map<string, Seed> = new Map()
  readonly #optionNames: readonly string[]

  constructor(fixture: FixtureSource | undefined, fixtures: Readonly<Record<string, FixtureSource>> = {}) {
    this.#optionNames = Object.keys(fixtures)
    for (const [name, source] of Object.entries(fixtures)) this.named.set(name, this.load(source, name))
    this.initial = this.load(fixture ?? this.#optionNames[0] ?? 'default')
  }

  /** All that can be loaded by a name, the own fixtures first. */
  get names(): string[] {
    // While the constructor loads `fixtures`, `initial` is still undefined.
    return Array.from(
      new Set([...this.#optionNames, this.initial?.name ?? 'default', ...Object.keys(SHIPPED_FIXTURES)]),
    )
  }

  /** Whether the mock holds it anyway, so that a sandbox that starts from it takes no memory for it. */
  isShared(seed: Seed): boolean {
    return seed === this.initial || this.named.get(seed.name) === seed
  }

  /** The fixture of a seed as it is now: a stored state has the pets that it had then. */
  reload(seed: Seed): Seed {
    if (!seed.isStored) return seed
    return seed.name === this.initial.name ? this.initial : (this.named.get(seed.name) ?? seed)
  }

  /** Loads what sandboxes start from. */
  replace(source: FixtureSource, name?: string): Seed {
    this.initial = this.load(source, name)
    if (this.#optionNames.includes(name as string)) this.named.set(name as string, this.initial)
    return this.initial
  }

  /**
   * Finds or creates the seed of a fixture.
   * @param name The name in messages and `GET /_mock/health`.
   * @throws {MockError} `UNKNOWN_FIXTURE` when no fixture has this name; {@link FixtureError} naming every problem.
   */
  load(source: FixtureSource, name?: string): Seed {
    const known = typeof source === 'string' ? this.#find(source) : undefined
    if (known !== undefined) return name === undefined ? known : { ...known, name }
    if (typeof source !== 'string' || /^\s*[[{]/.test(source)) return readSeed(source, name)
    throw new MockError(
      'UNKNOWN_FIXTURE',
      `Failed to load a fixture: there is none named ${showValue(source, 40)}. Use one of ${this.names.join(', ')}, the text of a JSON file, or an object. YAML can only be a file of --fixture.`,
    )
  }

  #find(name: string): Seed | undefined {
    if (isShippedFixture(name) && !this.named.has(name))
      this.named.set(name, readSeed(SHIPPED_FIXTURES[name] as Fixture, name))
    return this.named.get(name) ?? (this.initial?.name === name ? this.initial : undefined)
  }
}

function readSeed(source: FixtureSource, name?: string): Seed {
  const origin = name ?? 'fixture'
  const fixture = typeof source === 'string' ? parseJsonText(source, origin) : source
  const pets = parseFixture(fixture, origin)
  const { description } = fixture as Fixture
  return createSeed(name ?? 'custom', pets, { description })
}
