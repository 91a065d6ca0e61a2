import { whenReady } from '../http/awaitable.ts'
import type { Outcome } from '../http/outcome.ts'
import type { AnswererName } from '../http/wire-request.ts'
import { createKeyResponse, hasSpecifiedResponse, LARGEST_UPDATE } from '../operations/operations.ts'
import type { Exchange, Step } from './exchange.ts'
import { askHandlers, LARGEST_HANDLER_BODY } from './handlers.ts'
import { askProxy } from './proxy.ts'

/** What may answer a request instead of its operation. */
interface Answerer {
  readonly name: AnswererName
  readonly isFor: (exchange: Exchange) => boolean
  /** Whether it may read the body, which may then be larger than that of an operation. */
  readonly readsBody: boolean
  readonly ask: Step
}

/** One after the other, until one answers: the user's own handlers, a stub, the proxy. */
const ANSWERERS: readonly Answerer[] = [
  {
    name: 'handler',
    isFor: ({ sandbox, parts }) => sandbox.handlers.length > 0 || parts.handlers.length > 0,
    readsBody: true,
    ask: askHandlers,
  },
  {
    name: 'stub',
    isFor: ({ parts }) => parts.findStub !== undefined,
    readsBody: false,
    ask: askStub,
  },
  {
    name: 'proxy',
    isFor: ({ parts, request, pathBelow }) =>
      parts.options.proxy !== undefined && !hasSpecifiedResponse(request.method, pathBelow),
    readsBody: true,
    ask: askProxy,
  },
]

/** The answerers as steps on the way of a request. */
export const ASK_ANSWERERS: readonly Step[] = ANSWERERS.map(({ name, isFor, ask }) => (exchange) => {
  if (!isFor(exchange)) return undefined
  // Without a valid key, the operation answers: with its 401, or with the error that comes before it in the profile's order.
  if (exchange.operation !== undefined && exchange.auth.kind !== 'valid') return undefined
  return whenReady(ask(exchange), (outcome) => {
    if (outcome !== undefined) exchange.by = name
    return outcome
  })
})

/** How large the body of a request may be for whoever may answer it, in bytes. */
export function toBodyLimit(exchange: Exchange): number {
  const isRead = ANSWERERS.some(({ isFor, readsBody }) => readsBody && isFor(exchange))
  return isRead ? LARGEST_HANDLER_BODY : LARGEST_UPDATE
}

/** The response of the stub for the request, or its 401. */
function askStub({ parts, request, pathBelow, auth }: Exchange): Outcome | undefined {
  const stub = parts.findStub?.(request.method, pathBelow)
  if (stub === undefined) return undefined
  return stub.needsKey && auth.kind !== 'valid' ? createKeyResponse(auth, parts.options.rules) : stub.createResponse()
}
