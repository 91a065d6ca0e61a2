import type { RemoteMock } from '../../client/connect-mock.ts'
import { MockError } from '../../http/mock-error.ts'
import { quote } from '../../http/quote.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'

/** What the matchers take: a mock or a sandbox, in this process or elsewhere. */
export type Target = Pick<Sandbox | RemoteMock, 'name' | 'inventory' | 'journal'>

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
