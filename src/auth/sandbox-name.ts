import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'

/** The sandbox that a key without `~name` opens. */
export const DEFAULT_SANDBOX = 'default'

const NAME = /^[A-Za-z0-9._-]{1,64}$/

export function isSandboxName(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name)
}

/** @throws {MockError} `INVALID_SANDBOX` */
export function assertSandboxName(name: unknown): asserts name is string {
  if (isSandboxName(name)) return
  throw new MockError(
    'INVALID_SANDBOX',
    `Failed to open a sandbox: ${showValue(name, 40)} is not a valid name. Use 1 to 64 letters, digits, dots, underscores and hyphens.`,
  )
}
