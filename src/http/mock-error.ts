/** The machine-readable code of a {@link MockError}. The list is closed. */
export type MockErrorCode =
  | 'INVALID_OPTION'
  | 'INVALID_FIXTURE'
  | 'INVALID_PET'
  | 'UNKNOWN_PET'
  | 'DUPLICATE_PET'
  | 'UNKNOWN_FIXTURE'
  | 'INVALID_SANDBOX'
  | 'INVALID_SNAPSHOT'
  | 'INVALID_FAULT'
  | 'INVALID_FILTER'
  | 'INVALID_QUERY'
  | 'JOURNAL_INCOMPLETE'
  | 'CONTROL_UNREACHABLE'
  | 'CONTROL_REFUSED'
  | 'SERVER_START'
  | 'STATE_SAVE'
  | 'WORKER_START'
  | 'INTERCEPT_START'
  | 'CHECK_UNAVAILABLE'
  | 'CHECK_FAILED'
  | 'MSW_MISSING'
  | 'PEER_MISSING'

/** The error that the mock's own functions throw: for wrong use, or when an operation fails. */
export class MockError extends Error {
  override readonly name = 'MockError'
  /** Stable across releases, unlike the message. */
  readonly code: MockErrorCode

  constructor(code: MockErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
