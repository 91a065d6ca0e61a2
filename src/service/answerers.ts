import { whenReady } from '../http/awaitable.ts'
import type { Outcome } from '../http/outcome.ts'
import type { AnswererName } from '../http/wire-request.ts'
import { createKeyResponse, hasSpecifiedResponse } from '../operations/operations.ts'
import type { Exchange, Step } from './exchange.ts'
import { askHandlers } from './handlers.ts'
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
    isFor: ({ sandbox, mock }) => sandbox.handlers.length > 0 || mock.options.userHandlers.length > 0,
    readsBody: true,
    ask: askHandlers,
  },
  {
    name: 'stub',
    isFor: ({ mock }) => mock.options.findStub !== undefined,
    readsBody: false,
    ask: askStub,
  },
  {
    name: 'proxy',
    isFor: ({ mock, request, pathBelow }) =>
      mock.options.proxy !== undefined && !hasSpecifiedResponse(request.method, pathBelow),
    readsBody: true,
    ask: askProxy,
  },
]

/** The answerers as steps on the way of a request. */
export const ASK_ANSWERERS: readonly Step[] = ANSWERERS.map(({ name, isFor, ask }) => (exchange) => {
  if (!isFor(exchange)) return undefined
  // Without a valid key, the operation answers: with a 401.
  if (exchange.operation !== undefined && exchange.auth.kind !== 'valid') return undefined
  return whenReady(ask(exchange), (outcome) => {
    if (outcome !== undefined) exchange.by = name
    return outcome
  })
})

export function mayReadBody(exchange: Exchange): boolean {
  return ANSWERERS.some(({ isFor, readsBody }) => readsBody && isFor(exchange))
}

/** The response of the stub for the request, or its 401. */
function askStub({ mock, request, pathBelow, auth }: Exchange): Outcome | undefined {
  const { findStub, rules } = mock.options
  const stub = findStub?.(request.method, pathBelow)
  if (stub === undefined) return undefined
  return stub.needsKey && auth.kind !== 'valid' ? createKeyResponse(auth, rules) : stub.createResponse()
}
