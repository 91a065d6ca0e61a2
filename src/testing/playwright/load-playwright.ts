import { createRequire } from 'node:module'
import type * as Playwright from '@playwright/test'
import { createPeerError } from '../create-peer-error.ts'

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
