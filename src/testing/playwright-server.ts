import { randomUUID } from 'node:crypto'
import type * as Playwright from '@playwright/test'
import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { type ConnectOptions, connectMock, type RemoteMock } from '../client/connect-mock.ts'
import { ASYNC_DISPOSE } from '../http/async-dispose.ts'
import { refuseRequests, routeKey } from '../runtimes/playwright/route-requests.ts'
import { loadPlaywright } from './load-peer.ts'

// Without the import of its type, the declarations would name `playwright/test`.
const { test: base }: Pick<typeof Playwright, 'test'> = loadPlaywright()

/** A server to test against. */
export interface MockServer extends Pick<ConnectOptions, 'apiKey' | 'controlToken'> {
  /** Its URL: `http://127.0.0.1:4100`. */
  readonly url: string
}

/** Options of a project or file: `test.use({ mockServer: { url: 'http://127.0.0.1:4100' } })`. */
export interface ServerOptions {
  /**
   * The server that answers the pages.
   * @default { url: 'http://127.0.0.1:4100' }
   */
  readonly mockServer: MockServer
}

/** The fixtures of `serverTest`. */
export interface ServerFixtures {
  /** The controls of this test's sandbox, which is new and removed afterwards. */
  readonly inventory: RemoteMock
}

/**
 * Playwright's `test` with a running server (`petstore-mock serve`) and a separate sandbox for each test. Pages keep their
 * key: when they send the server's key, to the server or to `/v1` on any origin, the server receives the sandbox's key
 * instead. Other clients in a test use `inventory.apiKey`.
 * @throws {MockError} `CONTROL_UNREACHABLE` if the server cannot be reached.
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
    const inventory = connectMock(url, { ...options, sandbox: toSandboxName(title) })
    try {
      await inventory.health()
      await use(inventory)
    } finally {
      await inventory[ASYNC_DISPOSE]()
    }
  },
  // The order matters: Playwright closes the context with its pages before the sandbox is removed.
  context: async ({ inventory, context, mockServer: { url, apiKey = DEFAULT_API_KEY } }, use) => {
    const { origin } = new URL(url)
    // A site may proxy requests to the server.
    const covers = (target: URL): boolean => target.origin === origin || target.pathname.startsWith('/v1/')
    await routeKey(context, { covers, from: apiKey, to: inventory.apiKey })
    await use(context)
    await refuseRequests(context, covers)
  },
})

/** A sandbox name that is readable in lists, and unique to this test, retry and run. */
function toSandboxName(title: string): string {
  const words = title.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 40)
  return `${words}-${randomUUID().slice(0, 8)}`
}
