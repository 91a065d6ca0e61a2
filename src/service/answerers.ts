import type { Outcome } from '../http/outcome.ts'
import { type AnswererName, type Awaitable, isPromise } from '../http/wire-request.ts'
import { createKeyResponse } from '../operations/operations.ts'
import { type Exchange, isObsolete } from './exchange.ts'
import { askHandlers, listHandlers } from './handlers.ts'
import { askProxy, isForProxy } from './proxy.ts'

/** What may answer a request instead of the operations. Returns `undefined` if it leaves the request to the next one. */
export type Answerer = (exchange: Exchange) => Awaitable<Outcome | undefined>

/** In this order: the user's own handlers, a stub, the proxy. */
const ANSWERERS: readonly (readonly [name: AnswererName, ask: Answerer])[] = [
  ['handler', askHandlers],
  ['stub', askStub],
  ['proxy', askProxy],
]

/** Asks the answerers in turn. A request for an operation without a valid key passes them by. */
export function askAnswerers(exchange: Exchange): Awaitable<Outcome | undefined> {
  if (exchange.operation !== undefined && exchange.auth.kind !== 'valid') return undefined
  return askFrom(0, exchange)
}

function askFrom(index: number, exchange: Exchange): Awaitable<Outcome | undefined> {
  const [name, ask] = ANSWERERS[index] ?? []
  if (ask === undefined) return undefined
  const given = ask(exchange)
  if (isPromise(given)) return given.then((outcome) => accept(outcome))
  return accept(given)

  function accept(outcome: Outcome | undefined): Awaitable<Outcome | undefined> {
    if (outcome === undefined) return isObsolete(exchange) ? undefined : askFrom(index + 1, exchange)
    exchange.by = name
    return outcome
  }
}

/** The response of the stub for the request, or its 401. */
function askStub({ mock, request, pathBelow, auth }: Exchange): Outcome | undefined {
  const { findStub, rules } = mock.options
  const stub = findStub?.(request.method, pathBelow)
  if (stub === undefined) return undefined
  return stub.needsKey && auth.kind !== 'valid' ? createKeyResponse(auth, rules) : stub.createResponse()
}

/** Whether an answerer may read the request's body, which may then be larger than that of an operation. */
export function mayReadBody(exchange: Exchange): boolean {
  return listHandlers(exchange).length > 0 || isForProxy(exchange)
}
