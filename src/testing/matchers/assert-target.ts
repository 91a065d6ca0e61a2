import { MockError } from '../../http/mock-error.ts'
import { quote } from '../../http/quote.ts'

/**
 * Checks the value that `expect` got. Without this, `.not` would pass for a value that cannot be searched.
 * @throws {MockError} `INVALID_OPTION` for anything but a mock or a sandbox.
 */
export function assertTarget(received: unknown, matcher: string): void {
  const { journal, inventory } = (received ?? {}) as Record<string, Record<string, unknown> | undefined>
  if (typeof journal?.['find'] === 'function' && typeof inventory?.['get'] === 'function') return
  throw new MockError(
    'INVALID_OPTION',
    `Failed to run ${matcher}: expect() must get a mock or a sandbox, such as expect(createMock()), got ${quote(received)}.`,
  )
}

/**
 * Checks the same for a matcher that does not wait.
 * @throws {MockError} `INVALID_OPTION` also for a mock in another process.
 */
export function assertLocalTarget(received: unknown, matcher: string, instead: string): void {
  assertTarget(received, matcher)
  // Only a mock of `connectMock` has it.
  if (!('health' in (received as object))) return
  throw new MockError(
    'INVALID_OPTION',
    `Failed to run ${matcher}: expect() must get a mock or a sandbox of this process, got one of connectMock(), which has to be awaited. Write ${instead}.`,
  )
}
