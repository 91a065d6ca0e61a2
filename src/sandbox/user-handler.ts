import { MockError } from '../http/mock-error.ts'
import { quote } from '../http/quote.ts'

/**
 * A request handler made with msw's `http` or `graphql`, version 2.12 or newer. The type is spelt out here so that this
 * package's types also load where msw is not installed.
 */
export interface UserHandler {
  readonly info: { readonly header: string }
  /** Forgets how far a generator resolver got. msw 2 has none. */
  reset?(): void
}

/** Whether a value is a request handler of msw. A WebSocket handler is none: it answers no request. */
export function isUserHandler(value: unknown): value is UserHandler {
  const { info, run } = (value ?? {}) as { info?: { header?: unknown }; run?: unknown }
  return typeof info?.header === 'string' && typeof run === 'function'
}

/** @throws {MockError} `INVALID_OPTION` naming the first value that is no handler. */
export function assertUserHandlers(values: readonly unknown[], failure: string): void {
  const wrong = values.find((value) => !isUserHandler(value))
  if (wrong === undefined && !values.includes(undefined)) return
  throw new MockError(
    'INVALID_OPTION',
    `${failure}: each must be a request handler of msw, as http.get(path, resolver) makes, got ${quote(wrong)}. Spread an array of handlers.`,
  )
}
