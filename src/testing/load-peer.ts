import { createRequire } from 'node:module'
import type * as Playwright from '@playwright/test'
import { MockError } from '../http/mock-error.ts'

/** An optional peer, and the entry that needs it. */
interface Peer {
  readonly name: string
  readonly entry: string
}

/** Says what to install if a peer is missing; otherwise returns the error of loading the peer as it is. */
export function createPeerError(cause: unknown, { name, entry }: Peer): unknown {
  const { code, message = '' } = cause as Partial<NodeJS.ErrnoException>
  const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
  if (!isMissing || !message.includes(`'${name}'`)) return cause
  return new MockError(
    'PEER_MISSING',
    `Failed to load ${entry}: ${name} is not installed. Install it: npm install --save-dev ${name}`,
    { cause },
  )
}

/**
 * Loads Playwright Test, which is a CommonJS package, so that a missing one is one sentence. A top-level await would not
 * work: Playwright requires this entry in projects that are CommonJS.
 * @throws {MockError} `PEER_MISSING`
 */
export function loadPlaywright(): typeof Playwright {
  const load = createRequire(import.meta.url)
  try {
    return load('@playwright/test')
  } catch (cause) {
    throw createPeerError(cause, { name: '@playwright/test', entry: 'petstore-mock/playwright' })
  }
}
