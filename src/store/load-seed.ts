import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'
import { type Fixture, parseFixture } from './fixture.ts'
import { createSeed, type Seed } from './seed.ts'
import { isShippedFixture, SHIPPED_FIXTURES } from './shipped-fixtures.ts'

/** A shipped fixture's name, a fixture file's content, or a fixture as an object. */
export type FixtureSource = string | Fixture

/**
 * Makes a seed of a fixture.
 * @param name What messages and `GET /_mock/health` call it; a shipped fixture has its own name.
 * @throws {MockError} `UNKNOWN_FIXTURE` for a name that is not shipped.
 * @throws {FixtureError} for a fixture with faults, all of them named.
 */
export function loadSeed(source: FixtureSource, name = 'custom'): Seed {
  if (typeof source === 'string' && isShippedFixture(source)) {
    return createSeed(source, parseFixture(SHIPPED_FIXTURES[source], source))
  }
  if (typeof source === 'string' && !/^\s*[[{]/.test(source)) throw toUnknownFixture(source)
  return createSeed(name, parseFixture(source, name))
}

function toUnknownFixture(name: string): MockError {
  const shipped = Object.keys(SHIPPED_FIXTURES).join(', ')
  return new MockError(
    'UNKNOWN_FIXTURE',
    `Failed to load a fixture: there is none named ${showValue(name, 40)}. Shipped are ${shipped}; a file's content or an object will do as well.`,
  )
}
