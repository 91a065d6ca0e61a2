import type { BrowserContext } from '@playwright/test'

/**
 * Fails all further requests. After a test, its pages may send requests until their context closes, which must reach
 * neither a real service nor the sandbox of a finished test.
 */
export async function refuseRequests(context: BrowserContext, covers: (url: URL) => boolean): Promise<void> {
  // The test may have closed it already.
  await context.route(covers, (route) => route.abort()).catch(() => {})
}
