import { MockError } from '../http/mock-error.ts'
import { quote } from '../http/quote.ts'

/**
 * A request handler made with `http` or `graphql` of msw 2.12 or newer. The type is declared here because msw is an
 * optional peer dependency.
 */
export interface UserHandler {
  readonly info: { readonly header: string }
  /** Restarts a generator resolver. Missing in msw 2. */
  reset?(): void
}

/** Whether a value is an msw request handler. A WebSocket handler is not: it handles no requests. */
export function isUserHandler(value: unknown): value is UserHandler {
  const { info, run } = (value ?? {}) as { info?: { header?: unknown }; run?: unknown }
  return typeof info?.header === 'string' && typeof run === 'function'
}

/** @throws {MockError} `INVALID_OPTION` naming the first value that is not a handler. */
export function assertUserHandlers(values: readonly unknown[], failure: string): void {
  const wrong = values.find((value) => !isUserHandler(value))
  if (wrong === undefined && !values.includes(undefined)) return
  throw new MockError(
    'INVALID_OPTION',
    `${failure}: each must be an msw request handler, such as http.get(path, resolver), got ${quote(wrong)}. Spread an array of handlers.`,
  )
}
