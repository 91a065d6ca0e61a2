import { explainOldNode } from './explain-old-node.ts'

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
  | 'OLD_NODE'

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

// Every entry runs this before anything that an old Node lacks. Pages have no `process`, or one without versions.
const { process } = globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } }
const problem = process?.versions?.node && explainOldNode(process.versions.node)
if (problem) throw new MockError('OLD_NODE', problem)
