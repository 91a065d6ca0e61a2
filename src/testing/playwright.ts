import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { test as base, expect as baseExpect, type ExpectMatcherState } from '@playwright/test'
import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { type ConnectOptions, connectMock, type RemoteMock } from '../client/connect-mock.ts'
import { ASYNC_DISPOSE } from '../http/globals.ts'
import type { PetIdLike } from '../inventory/pet.ts'
import { refuseRequests, routeKey, routeRequests } from '../runtimes/playwright/route-requests.ts'
import { createMock, type Mock } from '../service/create-mock.ts'
import { toService } from '../service/mock.ts'
import type { MockOptions } from '../service/mock-options.ts'
import {
  assertFaultsUsed,
  type Expected,
  type ExpectedRequests,
  type FaultOptions,
  type MatcherResult,
  matchers,
  type Target,
} from './matchers.ts'

export { type RequestRouting, routeRequests } from '../runtimes/playwright/route-requests.ts'
export type { Expected, FaultOptions } from './matchers.ts'

/** Options of a project or file: `test.use({ mockOptions: { fixture: 'low-stock' } })`. */
export interface InventoryOptions extends FaultOptions {
  /**
   * The options of each test's mock.
   * @default {}
   */
  readonly mockOptions: MockOptions
}

/** The fixtures of `test`. */
export interface InventoryFixtures {
  /** The mock of this test, which answers only the pages of this test. The code under test keeps its `demo-key`. */
  readonly inventory: Mock
}

/**
 * Playwright's `test` with a separate mock for each test, which answers the service requests of `page` and of every other
 * page in `context`. For a context that a test opens itself, call `routeRequests(inventory, context)`.
 * @example
 * test('an arrival is booked', async ({ page, inventory }) => {
 *   await page.goto('/stock')
 *   await page.getByRole('button', { name: 'Book 20' }).click()
 *   await expect(inventory).toHaveReceived('updateInventory', { petId: 1, body: { quantity: 20 } })
 *   await expect(inventory).toHaveStock(1, 20)
 * })
 */
export const test = base.extend<InventoryFixtures & InventoryOptions>({
  mockOptions: [{}, { option: true }],
  failOnUnusedFaults: [false, { option: true }],
  inventory: async ({ mockOptions, failOnUnusedFaults }, use, { errors }) => {
    const mock = createMock(mockOptions)
    await useMock(mock, { use, errors })
    if (failOnUnusedFaults && errors.length === 0) await assertFaultsUsed(mock)
  },
  context: async ({ context, inventory }, use) => {
    const routing = await routeRequests(inventory, context)
    await use(context)
    await refuseRequests(context, toService(inventory).covers)
    await routing.stop()
  },
})

/** A server to test against. */
export interface MockServer extends Pick<ConnectOptions, 'apiKey' | 'controlToken'> {
  /** Its URL: `http://127.0.0.1:4100`. */
  readonly url: string
}

/** Options of a project or file: `test.use({ mockServer: { url: 'http://127.0.0.1:4100' } })`. */
export interface ServerOptions extends FaultOptions {
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
  failOnUnusedFaults: [false, { option: true }],
  inventory: async ({ mockServer: { url, ...options }, failOnUnusedFaults }, use, { title, errors }) => {
    // Readable in lists, and unique to this test, retry and run.
    const sandbox = `${title.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 40)}-${randomUUID().slice(0, 8)}`
    const inventory = connectMock(url, { ...options, sandbox })
    try {
      await inventory.health()
      await useMock(inventory, { use, errors })
      if (failOnUnusedFaults && errors.length === 0) await assertFaultsUsed(inventory)
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

/**
 * Playwright's `expect` with matchers for a mock or a sandbox, in this process or on a server. They retry, like
 * Playwright's own, for the timeout of `expect`; with `not` they pass as soon as there is no match.
 * @example
 * await expect.configure({ timeout: 20_000 })(inventory).toHaveStock(1, 20)
 */
export const expect = baseExpect.extend({
  toHaveReceived(
    this: ExpectMatcherState,
    received: Target,
    requests: ExpectedRequests,
    expected?: Expected,
  ): Promise<MatcherResult> {
    return retry(received, this, (context) => matchers.toHaveReceived.call(context, received, requests, expected))
  },
  toHaveStock(this: ExpectMatcherState, received: Target, petId: PetIdLike, quantity: number): Promise<MatcherResult> {
    return retry(received, this, (context) => matchers.toHaveStock.call(context, received, petId, quantity))
  },
  toHaveUsedFaults(this: ExpectMatcherState, received: Target): Promise<MatcherResult> {
    return retry(received, this, () => matchers.toHaveUsedFaults(received))
  },
})

/** How many matchers still retry, by the mock of their test, and whether that test has ended. */
const RETRIES = new WeakMap<Target, { count: number; hasEnded: boolean }>()

/** Retries a matcher each 20 ms until it passes or the time is over, like Playwright's own. */
async function retry(
  received: Target,
  { isNot, timeout }: ExpectMatcherState,
  match: (context: object) => MatcherResult | Promise<MatcherResult>,
): Promise<MatcherResult> {
  const deadline = performance.now() + timeout
  const retries = RETRIES.get(received) ?? { count: 0, hasEnded: false }
  retries.count += 1
  try {
    for (;;) {
      const isPolling = performance.now() < deadline
      const result = await match({ isNot, isPolling })
      if (result.pass !== isNot || !isPolling) return result
      await setTimeout(20)
      // Nobody awaits it, so that its failure would be that of the next test.
      if (retries.hasEnded) return { ...result, pass: !isNot }
    }
  } finally {
    retries.count -= 1
  }
}

/**
 * Lets a test use its mock, and ends the matchers that it leaves.
 * @throws {Error} if a matcher was not awaited, unless the test has failed already.
 */
async function useMock<Inventory extends Target>(
  inventory: Inventory,
  { use, errors }: { use: (inventory: Inventory) => Promise<void>; errors: readonly unknown[] },
): Promise<void> {
  const retries = { count: 0, hasEnded: false }
  RETRIES.set(inventory, retries)
  await use(inventory)
  retries.hasEnded = true
  if (retries.count > 0 && errors.length === 0)
    throw new Error(
      'The test ended before a matcher of its mock did. Await it: await expect(inventory).toHaveStock(1, 20)',
    )
}
