import { MockError } from '../contract/mock-error.ts'
import { cut } from '../contract/quote.ts'

/** The sandbox that a bare key opens. */
export const DEFAULT_SANDBOX = 'default'

const NAME = /^[A-Za-z0-9._-]{1,64}$/

export function isSandboxName(name: string): boolean {
  return NAME.test(name)
}

/** @throws {MockError} `INVALID_SANDBOX` */
export function assertSandboxName(name: string): void {
  if (isSandboxName(name)) return
  throw new MockError(
    'INVALID_SANDBOX',
    `Failed to open a sandbox: ${JSON.stringify(cut(name))} is not a name. Use 1 to 64 letters, digits, dots, underscores and hyphens.`,
  )
}
