import { createErrorResponse } from '../http/error-response.ts'
import { cut } from '../http/quote.ts'
import type { PathParams } from '../http/router.ts'
import { type Awaitable, whenReady } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import { ERROR_ORDERS, type ErrorOrder, type Rules } from '../inventory/profile.ts'
import { findPathPetId, type Operation, type OperationContext, type Problem } from './define-operation.ts'
import { isInvalidPetId, type ReadableRequest, readRequest } from './read-request.ts'

/** A request for an operation, and its context. */
export interface OperationRun extends OperationContext {
  readonly operation: Operation
  readonly params: PathParams
  readonly request: ReadableRequest
  /** Creates the 401; `undefined` with a valid key. */
  readonly refuseKey: (() => WireResponse) | undefined
}

/** The checks that need no body, before and after the request is validated (400). */
interface Checks {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

const CHECKS = Object.fromEntries(ERROR_ORDERS.map((order) => [order, toChecks(order)])) as Record<ErrorOrder, Checks>

/** For an operation that the specification names without a response. */
const KEY_FIRST: Checks = { before: ['401'], after: [] }

/**
 * Runs the checks in the order of the rules, then executes the request. A petId in the body is known only once the request
 * is validated, so a 404 that the rules put before the 400 comes after it there.
 */
export function runOperation(run: OperationRun): Awaitable<WireResponse> {
  const { operation, params, request, rules } = run
  const { before, after } = operation.specified ? CHECKS[rules.order] : KEY_FIRST
  const inPath = findPathPetId(operation, params)
  const error = findError(run, { checks: before, petId: inPath })
  if (error !== undefined) return error
  const checks = operation.petIdOf?.in === 'body' ? [...before, ...after] : after
  return whenReady(readRequest(request, run), (read) => {
    if ('problem' in read) return createProblemResponse(read, rules)
    const prepared = operation.prepare(read, run)
    if (typeof prepared !== 'function') return createProblemResponse(prepared, rules)
    return findError(run, { checks, petId: read.petId }) ?? prepared()
  })
}

function createProblemResponse({ problem }: Problem, { codes }: Rules): WireResponse {
  return createErrorResponse('invalid_request', problem, { sentCode: codes[400] })
}

/** The 404 of a pet that does not exist. */
export function createUnknownPetResponse(petId: string, { codes }: Rules): WireResponse {
  return createErrorResponse('not_found', `There is no pet ${cut(petId)}`, { sentCode: codes[404] })
}

function toChecks(order: ErrorOrder): Checks {
  const statuses = order.split(', ')
  const index = statuses.indexOf('400')
  const after = statuses.slice(index + 1)
  // A 404 that comes last is left to the operation.
  return { before: statuses.slice(0, index), after: after.at(-1) === '404' ? after.slice(0, -1) : after }
}

function findError(
  { state, rules, refuseKey }: OperationRun,
  { checks, petId }: { readonly checks: readonly string[]; readonly petId: string | undefined },
): WireResponse | undefined {
  for (const status of checks) {
    if (status === '401' && refuseKey !== undefined) return refuseKey()
    if (status !== '404' || petId === undefined || isInvalidPetId(petId, rules)) continue
    if (state.get(petId) === undefined) return createUnknownPetResponse(petId, rules)
  }
  return undefined
}
