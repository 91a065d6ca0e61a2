import * as v from 'valibot'
import { quote } from '../http/quote.ts'
import { must, type Schema } from '../http/schema.ts'

/**
 * A request handler made with `http` or `graphql` of msw 2.13.4 or newer. The type is declared here because those of msw 2 and
 * 3 differ.
 */
export interface UserHandler {
  /** What msw knows of the handler; `header` names it. */
  readonly info: { readonly header: string; readonly path?: unknown }
  /** Restarts a generator resolver. Missing in msw 2. */
  reset?(): void
}

/** Whether a value is an msw request handler. A WebSocket handler is not: it handles no requests. */
export function isUserHandler(value: unknown): value is UserHandler {
  const { info, run } = (value ?? {}) as { info?: { header?: unknown }; run?: unknown }
  return typeof info?.header === 'string' && typeof run === 'function'
}

/** A registered symbol, because a project can load this package as an ES module and as CommonJS. */
const MADE_OF_A_MOCK = Symbol.for('petstore-mock.handler')

/** Marks handlers that pass requests to a mock. A mock that had them would ask itself for ever. */
export function markHandlers<Handler extends object>(handlers: Handler[]): Handler[] {
  return handlers.map((handler) => Object.assign(handler, { [MADE_OF_A_MOCK]: true }))
}

/** A parameter as in an OpenAPI document. msw would take it for the text in the braces. */
const OPENAPI_PARAMETER = /\/\{\w+\}(?:\/|$)/

/** The user's own msw handlers. @internal */
export const USER_HANDLERS: Schema<readonly UserHandler[]> = v.array(
  v.pipe(
    v.custom<UserHandler>(
      isUserHandler,
      ({ input }) =>
        `must be an msw request handler, such as http.get(path, resolver), got ${quote(input)}. Spread an array of handlers.`,
    ),
    v.check(
      ({ info }) => !OPENAPI_PARAMETER.test(String(info.path)),
      'has a path with {name}, which msw writes as :name',
    ),
    v.check(
      (handler) => !(MADE_OF_A_MOCK in handler),
      "is a handler of createHandlers(), which belongs in msw's setupServer or setupWorker",
    ),
  ),
  must('an array'),
)
