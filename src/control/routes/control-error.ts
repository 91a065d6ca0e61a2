import type { ErrorCode } from '../../http/error-response.ts'

/** The error that a control route responds with, and the `code` of its Error object. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
