import { isPromise } from '../http/awaitable.ts'
import type { Outcome } from '../http/outcome.ts'
import type { AnswererName } from '../http/wire-request.ts'
import { createKeyResponse } from '../operations/operations.ts'
import type { Exchange, Step } from './exchange.ts'
import { askHandlers, hasHandlers } from './handlers.ts'
import { askProxy, isForProxy } from './proxy.ts'

/** What may answer a request instead of the operations, one after the other: the user's own handlers, a stub, the proxy. */
export const ANSWERERS: readonly Step[] = [
  createAnswerer('handler', askHandlers),
  createAnswerer('stub', askStub),
  createAnswerer('proxy', askProxy),
]

/** Notes who answered. A request for an operation without a valid key passes all of them by. */
function createAnswerer(name: AnswererName, ask: Step): Step {
  return (exchange) => {
    if (exchange.operation !== undefined && exchange.auth.kind !== 'valid') return undefined
    const given = ask(exchange)
    return isPromise(given) ? given.then(note) : note(given)

    function note(outcome: Outcome | undefined): Outcome | undefined {
      if (outcome !== undefined) exchange.by = name
      return outcome
    }
  }
}

/** The response of the stub for the request, or its 401. */
function askStub({ mock, request, pathBelow, auth }: Exchange): Outcome | undefined {
  const { findStub, rules } = mock.options
  const stub = findStub?.(request.method, pathBelow)
  if (stub === undefined) return undefined
  return stub.needsKey && auth.kind !== 'valid' ? createKeyResponse(auth, rules) : stub.createResponse()
}

/** Whether one of them may read the request's body, which may then be larger than that of an operation. */
export function mayReadBody(exchange: Exchange): boolean {
  return hasHandlers(exchange) || isForProxy(exchange)
}
