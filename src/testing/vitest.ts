import * as v from 'valibot'
import { test as base, expect } from 'vitest'
import { boolean, object, parseWith } from '../http/schema.ts'
import { type InterceptOptions, interceptRequests } from '../runtimes/node.ts'
import { UNHANDLED_REQUEST } from '../runtimes/shared/unhandled-request.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { createMock, type Mock } from '../service/create-mock.ts'
import { toService } from '../service/mock.ts'
import { type MockOptions, OPTIONS, parseOptions } from '../service/mock-options.ts'
import { assertFaultsUsed, type FaultOptions, type MockMatchers, matchers } from './matchers.ts'

export type { Expected, FaultOptions } from './matchers.ts'

expect.extend(matchers)

declare module 'vitest' {
  // The name and the parameters are Vitest's: https://vitest.dev/guide/extending-matchers
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends MockMatchers<R, T> {}
}

/** The fixtures of `test`. */
export interface InventoryFixtures {
  /**
   * The mock of the test file, which answers the process's requests while the file runs. After each test that is not
   * concurrent, it is reset and its clock returns to real time, so that code with a hard-wired key starts from the seed,
   * too.
   */
  readonly mock: Mock
  /** The test's own sandbox, which is new and removed afterwards. The code under test uses its `apiKey`. */
  readonly inventory: Sandbox
}

/** The options of `defineTest`: those of `createMock` and of `interceptRequests`, and for faults. */
export type DefineTestOptions = MockOptions & InterceptOptions & FaultOptions

const TEST_OPTIONS = object<Record<keyof DefineTestOptions, unknown>>({
  ...OPTIONS,
  onUnhandledRequest: v.optional(UNHANDLED_REQUEST),
  failOnUnusedFaults: v.optional(boolean),
})

/**
 * Creates a `test` for a mock with your own options.
 * @throws {MockError} `INVALID_OPTION`, `INVALID_FIXTURE` or `UNKNOWN_FIXTURE`
 * @example
 * const test = defineTest({ fixture: 'low-stock', onUnhandledRequest: 'error' })
 */
export function defineTest(given: DefineTestOptions = {}) {
  // Parsed now, so that a misspelled option fails the file instead of each of its tests.
  parseWith(TEST_OPTIONS, given, { failure: 'Failed to define a test' })
  const { onUnhandledRequest, failOnUnusedFaults, ...options } = given
  parseOptions(options)
  /** Of the file that runs now; `undefined` until a test asks for it. */
  let fileMock: Mock | undefined
  const assertUsed = async (target: Sandbox, { result }: Task, advice?: string): Promise<void> => {
    if (failOnUnusedFaults === true && result?.state !== 'fail') await assertFaultsUsed(target, advice)
  }
  const resetAfterwards = [
    async ({ task }: { readonly task: Task }, use: (value: undefined) => Promise<void>) => {
      await use(undefined)
      if (isConcurrent(task)) return
      const checked = fileMock && assertUsed(fileMock, task, '\nConcurrent tests must use inventory.faults instead.')
      fileMock?.clock.useReal()
      fileMock?.reset()
      await checked
    },
    { auto: true },
  ]
  return base.extend<InventoryFixtures>({
    // Without its type, because tests do not ask for it.
    ...({ resetAfterwards } as object),
    mock: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures one asks for
      async ({}, use) => {
        const mock = createMock(options)
        const interception = interceptRequests(mock, onUnhandledRequest === undefined ? {} : { onUnhandledRequest })
        fileMock = mock
        await use(mock)
        fileMock = undefined
        interception.stop()
      },
      // Also for tests and hooks that ask for no fixture: their requests must not reach the network.
      { scope: 'file', auto: true },
    ],
    inventory: async ({ mock, task }, use) => {
      // Test names can repeat, also on retries; the id in the file is unique.
      const name = `test-${task.id.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(-50)}`
      const sandbox = mock.sandbox(name)
      await use(sandbox)
      const checked = assertUsed(sandbox, task)
      mock.sandbox(name).reset()
      toService(mock).sandboxes.remove(name)
      await checked
    },
  })
}

interface Task {
  readonly concurrent?: boolean | undefined
  readonly suite?: Task | undefined
  readonly result?: { readonly state: string } | undefined
}

/** Whether another test of the file may run at the same time: also a sequential one may be part of a concurrent suite. */
function isConcurrent({ concurrent, suite }: Task): boolean {
  return concurrent === true || (suite !== undefined && isConcurrent(suite))
}

/**
 * Vitest's `test` with `inventory`, a separate sandbox for each test. The mock answers the requests of the process.
 * @example
 * test('an arrival is booked', async ({ inventory }) => {
 *   await bookArrival({ apiKey: inventory.apiKey, petId: 1, quantity: 20 })
 *   expect(inventory).toHaveReceived('updateInventory', { petId: 1, body: { quantity: 20 }, times: 1 })
 *   expect(inventory).toHaveStock(1, 20)
 * })
 */
export const test = defineTest()
