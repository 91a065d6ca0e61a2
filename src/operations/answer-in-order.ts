import { createErrorResponse } from '../http/error-response.ts'
import { cut } from '../http/quote.ts'
import type { PathParams } from '../http/router.ts'
import { type Awaitable, whenReady } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import type { Rules } from '../inventory/profile.ts'
import type { Operation, OperationContext, Problem } from './define-operation.ts'
import { isInvalidPetId, type ReadableRequest, readRequest } from './read-request.ts'

/** A request for an operation, and its context. */
export interface OperationCall extends OperationContext {
  readonly operation: Operation
  readonly params: PathParams
  readonly request: ReadableRequest
  /** Creates the 401; `undefined` with a valid key. */
  readonly refuseKey: (() => WireResponse) | undefined
}

/** Only the key check applies to operations that the specification does not show. */
const KEY_CHECK: Rules['order'] = ['401', '400']

/** Looks for the errors of a request in the order of the rules. Carries the request out if there is none. */
export function answerInOrder({
  operation,
  params,
  request,
  refuseKey,
  ...context
}: OperationCall): Awaitable<WireResponse> {
  const { state, rules } = context
  const order = operation.specified ? rules.order : KEY_CHECK
  let carryOut: () => Awaitable<WireResponse>

  function goOn(index: number): Awaitable<WireResponse> {
    switch (order[index]) {
      case '401':
        return refuseKey?.() ?? goOn(index + 1)
      case '400':
        return whenReady(readRequest(request, { operation, params, rules }), (read) => {
          const prepared = 'problem' in read ? read : operation.prepare(read, context)
          if ('problem' in prepared) return toInvalid(prepared, rules)
          carryOut = prepared
          return goOn(index + 1)
        })
      case '404': {
        const petId = operation.petIdOf?.in === 'path' ? params[operation.petIdOf.name] : undefined
        // As the last check, it is that of the operation.
        const isLast = index + 1 === order.length
        const isUnknown =
          petId !== undefined && !isLast && !isInvalidPetId(petId, rules) && state.get(petId) === undefined
        return isUnknown ? createUnknownPetResponse(petId, rules) : goOn(index + 1)
      }
      default:
        return carryOut()
    }
  }
  return goOn(0)
}

/** The 404 of a pet that does not exist. */
export function createUnknownPetResponse(petId: string, { codes }: Rules): WireResponse {
  return createErrorResponse('not_found', `There is no pet ${cut(petId)}`, { sentCode: codes[404] })
}

function toInvalid({ problem }: Problem, { codes }: Rules): WireResponse {
  return createErrorResponse('invalid_request', problem, { sentCode: codes[400] })
}
