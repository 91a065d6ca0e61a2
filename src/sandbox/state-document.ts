import { joinBytes } from '../http/bytes.ts'
import { quote } from '../http/quote.ts'
import { type Fixture, FixtureError, parseFixture, parseJsonText } from '../store/fixture.ts'
import { createSeed, type Seed } from '../store/seed.ts'
import type { Sandboxes } from './sandboxes.ts'

/** The format's number; one that reads older files keeps reading them. */
const VERSION = 1
const decoder = new TextDecoder()

/** Writes the states of all sandboxes that differ from the seed, and that of the default one, as a document. */
export function writeStateDocument(sandboxes: Sandboxes): string {
  const states = Array.from(sandboxes.values())
    .filter(
      ({ controls, state }) =>
        controls === sandboxes.default.controls || state.changes > 0 || state.seed !== sandboxes.seed,
    )
    .map(
      ({ controls, state }) =>
        `${JSON.stringify(controls.name)}:{"inventory":${decoder.decode(joinBytes(state.toList()))}}`,
    )
  return `{"version":${VERSION},"sandboxes":{${states.join(',\n')}}}\n`
}

/**
 * Puts the states of a document into the sandboxes, all or none.
 * @throws {FixtureError} naming every fault of the first state that has any.
 */
export function readStateDocument(text: string, { sandboxes, origin }: { sandboxes: Sandboxes; origin: string }): void {
  const document = parseJsonText(text, origin) as { version?: unknown; sandboxes?: Record<string, Fixture> } | null
  if (document?.version !== VERSION) {
    throw new FixtureError(origin, [
      `version: must be ${VERSION}, got ${quote(document?.version)}; this is no state file, or one of a later release`,
    ])
  }
  if (typeof document.sandboxes !== 'object' || document.sandboxes === null)
    throw new FixtureError(origin, ['sandboxes: must be an object'])
  const seeds = Object.entries(document.sandboxes).map(([name, fixture]): [string, Seed] => [
    name,
    createSeed(origin, parseFixture(fixture, `${origin}: sandboxes.${name}`)),
  ])
  for (const [name, seed] of seeds) sandboxes.open(name).state.reset(seed)
}
