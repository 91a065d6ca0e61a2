import { isSandboxName } from '../auth/sandbox-name.ts'
import { quote } from '../http/quote.ts'
import { type Fixture, FixtureError, parseFixture, parseJsonText } from '../store/fixture.ts'
import type { StateSnapshot } from '../store/inventory-state.ts'
import { createSeed } from '../store/seed.ts'

/**
 * Parses a state document of version 1: one JSON value in which every sandbox is a fixture.
 * @throws {FixtureError} naming every problem of the first invalid state.
 */
export function readVersion1(text: string, origin: string): Map<string, StateSnapshot> {
  const document = parseJsonText(text, origin) as { version?: unknown; sandboxes?: Record<string, Fixture> } | null
  if (document?.version === undefined) throw new FixtureError(origin, ['this is not a state file: it has no version'])
  if (document.version !== 1) {
    throw new FixtureError(origin, [
      `version: must be 1 or 2, got ${quote(document.version)}; this is not a state file, or it is from a later release`,
    ])
  }
  if (typeof document.sandboxes !== 'object' || document.sandboxes === null)
    throw new FixtureError(origin, ['sandboxes: must be an object'])
  return new Map(
    Object.entries(document.sandboxes).map(([name, fixture]) => {
      if (!isSandboxName(name)) throw new FixtureError(origin, [`sandboxes: ${quote(name)} is not a sandbox name`])
      const pets = parseFixture(fixture, `${origin}: sandboxes.${name}`)
      return [name, { seed: createSeed(origin, pets), removed: new Set(), changed: [], added: [] }]
    }),
  )
}
