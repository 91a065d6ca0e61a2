import type { Outcome } from '../http/outcome.ts'
import type { Awaitable } from '../http/wire-request.ts'
import { createUnspecifiedResponse } from '../operations/operations.ts'
import type { Exchange } from './exchange.ts'
import { explainHandler, refuseRoute } from './refuse-route.ts'

/** The operation of the route, or the refusal of a request that has none. */
export function operate(exchange: Exchange): Awaitable<Outcome> {
  const { mock, operation, petId, body, auth, sandbox, request } = exchange
  if (operation === undefined) return refuseRoute(exchange)
  if (!operation.specified && auth.kind === 'valid')
    return createUnspecifiedResponse(operation, explainHandler(exchange))
  const mediaType = request.header('content-type')
  return mock.operate({ operation, petId, mediaType, body, auth, state: sandbox.state, rules: mock.options.rules })
}
