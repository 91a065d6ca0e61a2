import type { BaseUrls } from '../http/base-url.ts'

/**
 * Marks, in the Accept header, a request that no mock answers. It is msw's (https://mswjs.io/docs/api/bypass), so that
 * msw's service worker knows it too.
 */
export const BYPASS_MARK = 'msw/passthrough'

const INTERCEPTED = Symbol.for('petstore-mock.intercepted')

/** The base URLs of all interceptions. Like the globals that they replace, they belong to the realm. */
export function listIntercepted(): Set<BaseUrls> {
  const shared = globalThis as { [INTERCEPTED]?: Set<BaseUrls> }
  shared[INTERCEPTED] ??= new Set()
  return shared[INTERCEPTED]
}
