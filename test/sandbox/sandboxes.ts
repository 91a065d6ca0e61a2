import { createAuthenticator } from '../../src/auth/authenticator.ts'
import { RequestRecord } from '../../src/http/wire-request.ts'
import type { Exchange } from '../../src/sandbox/journal-entry.ts'
import { Sandboxes } from '../../src/sandbox/sandboxes.ts'
import { type FixtureSource, Seeds } from '../../src/store/seed.ts'

/** A request that matched no route, and has no response. */
export const EXCHANGE: Exchange = {
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
  isProxied: false,
  isStubbed: false,
  id: 1,
  weight: 0,
}

export function openSandboxes(
  fixture: FixtureSource,
  limits: { readonly journalsLimit?: number; readonly statesLimit?: number },
): Sandboxes {
  const sizes = { randomSeed: 0, journalSize: 1000, maxSandboxes: 100 }
  const authenticator = createAuthenticator(['demo-key'], false)
  return new Sandboxes({ authenticator, seeds: new Seeds(fixture), ...sizes, ...limits })
}
