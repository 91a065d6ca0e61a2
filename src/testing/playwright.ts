import { setTimeout } from 'node:timers/promises'
import { test as base, expect as baseExpect, type ExpectMatcherState } from '@playwright/test'
import { refuseRequests } from '../runtimes/playwright/refuse-requests.ts'
import { routeRequests } from '../runtimes/playwright/route-requests.ts'
import { createMock, type Mock } from '../service/create-mock.ts'
import type { MockOptions } from '../service/mock-options.ts'
import { toService } from '../service/mock-service.ts'
import type { MatcherResult } from './matchers/matcher-result.ts'
import { toHaveReceived, toHaveStock } from './playwright/matchers.ts'

export { type RequestRouting, routeRequests } from '../runtimes/playwright/route-requests.ts'
export type { Expected } from './matchers/to-have-received.ts'
export { type MockServer, type ServerFixtures, type ServerOptions, serverTest } from './playwright/server-test.ts'

/** What a project or a file may set: `test.use({ mockOptions: { fixture: 'low-stock' } })`. */
export interface InventoryOptions {
  /**
   * How to make each test's mock.
   * @default {}
   */
  readonly mockOptions: MockOptions
}

/** What `test` gives a test. */
export interface InventoryFixtures {
  /** The mock that answers the pages of this test, and of no other; the code under test keeps its `demo-key`. */
  readonly inventory: Mock
}

/**
 * Playwright's `test`, its pages' requests to the service answered out of a mock of each test's own: those of `page`
 * and of all else in `context`. A context that a test opens itself is answered after `routeRequests(inventory, context)`.
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
  inventory: async ({ mockOptions }, use) => {
    await use(createMock(mockOptions))
  },
  context: async ({ context, inventory }, use) => {
    const routing = await routeRequests(inventory, context)
    await use(context)
    await refuseRequests(context, toService(inventory).covers)
    await routing.stop()
  },
})

/**
 * Playwright's `expect`, with matchers for a mock, or a sandbox of one, here or elsewhere. They wait, like Playwright's
 * own, for a request that is still to come; with `not` they hold as soon as there is none.
 * - `toHaveReceived(operation, { petId, body, times })`: whether it was sent requests of an operation, at least one, or
 *   as many as `times` says.
 * - `toHaveStock(petId, quantity)`: whether a pet's stock is the quantity.
 */
export const expect = baseExpect.extend({
  toHaveReceived: toWaitingMatcher(toHaveReceived),
  toHaveStock: toWaitingMatcher(toHaveStock),
})

const INTERVAL_MS = 20

/** Makes a matcher that waits, as Playwright's own do, until it holds or the time that `expect` has for it is over. */
export function toWaitingMatcher<Parameters extends unknown[]>(
  match: (...parameters: Parameters) => MatcherResult | Promise<MatcherResult>,
) {
  return async function matchInTime(this: ExpectMatcherState, ...parameters: Parameters): Promise<MatcherResult> {
    const deadline = performance.now() + this.timeout
    for (;;) {
      const result = await match(...parameters)
      if (result.pass !== this.isNot || performance.now() >= deadline) return result
      await setTimeout(INTERVAL_MS)
    }
  }
}
