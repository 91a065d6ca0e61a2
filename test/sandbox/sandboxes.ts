import { createAuthenticator } from '../../src/auth/authenticator.ts'
import { RequestRecord } from '../../src/http/wire-request.ts'
import type { JournalRecord } from '../../src/sandbox/journal-entry.ts'
import { Sandboxes } from '../../src/sandbox/sandboxes.ts'
import { type FixtureSource, Seeds } from '../../src/store/seed.ts'

/** A request that matched no route, and has no response. */
export const RECORD: JournalRecord = {
  time: 0,
  duration: 0,
  sandbox: 'default',
  operation: undefined,
  petId: undefined,
  resource: '/nowhere',
  request: new RequestRecord('GET', { path: '/v1/nowhere', lines: '' }),
  body: new Uint8Array(),
  answer: undefined,
  fault: undefined,
  by: undefined,
  keyProblem: undefined,
  id: 1,
}

export function openSandboxes(fixture: FixtureSource, { journalSize = 1000 } = {}): Sandboxes {
  const authenticator = createAuthenticator(['demo-key'], false)
  return new Sandboxes({ authenticator, seeds: new Seeds(fixture), randomSeed: 0, journalSize, maxSandboxes: 100 })
}
