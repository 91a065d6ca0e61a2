import { randomUUID } from 'node:crypto'
import { test as base } from '@playwright/test'
import { DEFAULT_API_KEY } from '../../auth/authenticator.ts'
import { type ConnectOptions, connectMock, type RemoteMock } from '../../client/connect-mock.ts'
import { refuseRequests } from '../../runtimes/playwright/refuse-requests.ts'
import { routeKey } from '../../runtimes/playwright/route-key.ts'

/** A server to test against. */
export interface MockServer extends Pick<ConnectOptions, 'apiKey' | 'controlToken'> {
  /** Where it is: `http://127.0.0.1:4100`. */
  readonly url: string
}

/** What a project or a file may set: `test.use({ mockServer: { url: 'http://127.0.0.1:4100' } })`. */
export interface ServerOptions {
  /**
   * The server that answers the pages.
   * @default { url: 'http://127.0.0.1:4100' }
   */
  readonly mockServer: MockServer
}

/** What `serverTest` gives a test. */
export interface ServerFixtures {
  /** The controls of this test's sandbox, fresh and forgotten afterwards. */
  readonly inventory: RemoteMock
}

/**
 * Playwright's `test` over a mock that runs elsewhere (`petstore-mock serve`), with a sandbox of each test's own on it.
 * Pages keep their key: where they send the server's, to the server or to `/v1` at any origin, it gets that of the
 * sandbox. What else uses the service in a test takes `inventory.apiKey`.
 * @throws {MockError} `CONTROL_UNREACHABLE` where the server does not answer.
 * @example
 * serverTest('an arrival is booked', async ({ page, inventory }) => {
 *   await page.goto('/stock')
 *   await page.getByRole('button', { name: 'Book 20' }).click()
 *   await expect(inventory).toHaveStock(1, 20)
 * })
 */
export const serverTest = base.extend<ServerFixtures & ServerOptions>({
  mockServer: [{ url: 'http://127.0.0.1:4100' }, { option: true }],
  inventory: async ({ mockServer: { url, ...options } }, use, { title }) => {
    await using inventory = connectMock(url, { ...options, sandbox: toSandboxName(title) })
    await inventory.health()
    await use(inventory)
  },
  // In this order: Playwright closes the context, and with it the pages, before the sandbox is forgotten.
  context: async ({ inventory, context, mockServer: { url, apiKey = DEFAULT_API_KEY } }, use) => {
    const { origin } = new URL(url)
    // A site may pass requests on to the server.
    const covers = (target: URL): boolean => target.origin === origin || target.pathname.startsWith('/v1/')
    await routeKey(context, { covers, from: apiKey, to: inventory.apiKey })
    await use(context)
    await refuseRequests(context, covers)
  },
})

/** Readable in lists of sandboxes, and shared with no other test, retry or run. */
function toSandboxName(title: string): string {
  const words = title.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 40)
  return `${words}-${randomUUID().slice(0, 8)}`
}
