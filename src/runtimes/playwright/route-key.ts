import type { BrowserContext } from '@playwright/test'

/** Which key to replace with which. */
interface KeyRoute {
  /** Whether a request is for the server. */
  readonly covers: (url: URL) => boolean
  /** The key that pages send. */
  readonly from: string
  /** The key that the server receives, which opens a sandbox. */
  readonly to: string
}

/** Replaces the key in requests of pages. Requests with another key or none stay unchanged. */
export async function routeKey(context: BrowserContext, { covers, from, to }: KeyRoute): Promise<void> {
  await context.route(covers, (route) => {
    const headers = route.request().headers()
    const [scheme = '', key] = (headers['authorization'] ?? '').split(/ +/)
    if (scheme.toLowerCase() !== 'bearer' || key !== from) return route.fallback()
    return route.fallback({ headers: { ...headers, authorization: `Bearer ${to}` } })
  })
}
