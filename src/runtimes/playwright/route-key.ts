import type { BrowserContext } from '@playwright/test'

/** Which key to send for which. */
export interface KeyRoute {
  /** Whether a request is for the server. */
  readonly covers: (url: URL) => boolean
  /** What pages send. */
  readonly from: string
  /** What the server is to get: the key of a sandbox. */
  readonly to: string
}

/** Has requests of pages bear another key. Other keys, and requests without one, stay as they are. */
export async function routeKey(context: BrowserContext, { covers, from, to }: KeyRoute): Promise<void> {
  await context.route(covers, (route) => {
    const headers = route.request().headers()
    const [scheme = '', key] = (headers['authorization'] ?? '').split(/ +/)
    if (scheme.toLowerCase() !== 'bearer' || key !== from) return route.fallback()
    return route.fallback({ headers: { ...headers, authorization: `Bearer ${to}` } })
  })
}
