import * as v from 'valibot'
import { isJsonObject } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'
import { must, type Schema } from '../http/schema.ts'
import {
  assertFixtureSource,
  explainList,
  type Fixture,
  FixtureError,
  type ImportedFixture,
  parseFixture,
} from './fixture.ts'
import { createSeed, type Seed } from './seed.ts'
import { isShippedFixture, SHIPPED_FIXTURES } from './shipped-fixtures.ts'

/** A shipped fixture's name, a fixture file's content, or a fixture as an object. */
export type FixtureSource = string | Fixture | ImportedFixture

/** The contents of a fixture are checked when it is loaded. @internal */
export const FIXTURE_SOURCE: Schema<FixtureSource> = v.custom<FixtureSource>(
  (value) => typeof value === 'string' || isJsonObject(value),
  (issue) => must("a shipped fixture's name, a file's content or an object")(issue) + explainList(issue.input),
)

/** The name of a fixture that has none. Messages call it the fixture. */
const NO_NAME = 'custom'

/** The text of a YAML or JSONC file: it has a line break, a comment or a key, which no name has. */
const OTHER_TEXT = /[\r\n]|^\s*\/[/*]|^\w+: /
const NOT_JSON =
  'is not JSON, the only text that is read here. The command line also reads YAML. Parse other formats yourself, and pass the object'

/**
 * Creates a seed from a fixture.
 * @param name The name in messages and `GET /_mock/health`. A shipped fixture keeps its own name.
 * @throws {MockError} `UNKNOWN_FIXTURE` when no shipped fixture has this name.
 * @throws {FixtureError} when the fixture is invalid, naming every problem.
 */
export function loadSeed(source: FixtureSource, name: string = NO_NAME): Seed {
  return load(source, name, [])
}

/**
 * Like `loadSeed()`, but the name of the mock's own seed loads that. A shipped fixture's name always means that one.
 * @throws {MockError} `UNKNOWN_FIXTURE` when no fixture has this name.
 * @throws {FixtureError}
 */
export function loadByName(source: FixtureSource, own: Seed): Seed {
  if (isShippedFixture(own.name)) return loadSeed(source)
  return source === own.name ? own : load(source, NO_NAME, [own.name])
}

/** @param others Names of fixtures that are not shipped, for the message about an unknown one. */
function load(source: FixtureSource, name: string, others: readonly string[]): Seed {
  const origin = name === NO_NAME ? 'fixture' : name
  assertFixtureSource(source, origin)
  if (typeof source === 'string' && isShippedFixture(source)) {
    return createSeed(source, parseFixture(SHIPPED_FIXTURES[source], source))
  }
  if (typeof source === 'string' && !/^\s*[[{]/.test(source)) {
    throw OTHER_TEXT.test(source) ? new FixtureError(origin, [NOT_JSON]) : toUnknownFixture(source, others)
  }
  return createSeed(name, parseFixture(source, origin))
}

function toUnknownFixture(name: string, others: readonly string[]): MockError {
  const known = [...others, ...Object.keys(SHIPPED_FIXTURES)].join(', ')
  return new MockError(
    'UNKNOWN_FIXTURE',
    `Failed to load a fixture: there is none named ${showValue(name, 40)}. Use one of ${known}, the content of a file, or an object.`,
  )
}
