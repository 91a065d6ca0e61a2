import type { BrowserContext } from '@playwright/test'

/**
 * Has requests fail from now on: at the end of a test pages may go on asking until their context closes, and are to
 * reach neither a real service nor the sandbox of a test that is over.
 */
export async function refuseRequests(context: BrowserContext, covers: (url: URL) => boolean): Promise<void> {
  // A test may have closed it already.
  await context.route(covers, (route) => route.abort()).catch(() => {})
}
