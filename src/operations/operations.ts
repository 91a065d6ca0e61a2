import type { AuthResult } from '../auth/authenticator.ts'
import { OPERATIONS, type OperationId } from '../contract/operations.gen.ts'
import type { Awaitable } from '../http/awaitable.ts'
import type { Bytes } from '../http/bytes.ts'
import { CHALLENGE, createErrorResponse } from '../http/error-response.ts'
import { isJsonObject, type JsonObject, parseExactJson } from '../http/exact-json.ts'
import { cut, quote } from '../http/quote.ts'
import { createRouter, type Router } from '../http/router.ts'
import { BODY_TOO_LARGE } from '../http/wire-request.ts'
import { createJsonResponse, type WireResponse } from '../http/wire-response.ts'
import { isPetKey, type Pet, type PetKey, parseStockUpdate, toItemJson } from '../inventory/pet.ts'
import { ERROR_ORDERS, type ErrorOrder, type Rules } from '../inventory/profile.ts'
import type { InventoryState } from '../store/inventory-state.ts'

/** Every operation of the service. The compiler reports a missing operation of the contract. */
const OPERATIONS_BY_ID: Readonly<Record<OperationId, Operation>> = {
  listInventory: defineOperation('listInventory', {
    parse: () => ({}),
    resolve: (_, { state }) => createJsonResponse(200, state.toList()),
  }),
  updateInventory: defineOperation('updateInventory', {
    parse({ petId, body }, { rules }) {
      const update = parseStockUpdate(body, rules)
      return 'problem' in update ? update : { petId, quantity: update.quantity }
    },
    resolve({ petId, quantity }, { state }) {
      const pet = state.get(petId) as Pet
      return createJsonResponse(200, toItemJson(state.put({ ...pet, quantity })))
    },
  }),
  getPet: defineUnspecified('getPet'),
  listOrders: defineUnspecified('listOrders'),
}

/** In the order of the contract. */
export const OPERATION_LIST: readonly Operation[] = OPERATIONS.map(({ id }) => OPERATIONS_BY_ID[id])

/** Finds the operation of a request by its method and its path below the base path: `/inventory/7`. */
export const matchOperation: Router<Operation> = createRouter(OPERATION_LIST)

const matchSpecified = createRouter(OPERATION_LIST.filter(({ specified }) => specified))

/** Whether the specification defines the response: that of an operation, or the 405 of a path that has one. */
export function hasSpecifiedResponse(method: string, path: string | undefined): boolean {
  return matchSpecified(method, path).kind !== 'unknown'
}

/** An operation as generated from the contract. */
export type ContractOperation = (typeof OPERATIONS)[number]

/** The parsed request. Its petId and JSON body are well-formed. */
export interface OperationRequest<Pet = PetKey | undefined, Body = JsonObject | undefined> {
  /** The id in the path; `undefined` if the path has none. */
  readonly petId: Pet
  /** The JSON object of the body, with exact numbers; `undefined` if the contract defines no body. */
  readonly body: Body
}

/** The context in which an operation handles a request. */
export interface OperationContext {
  /** The inventory of the API key's sandbox. */
  readonly state: Pick<InventoryState, 'get' | 'put' | 'values' | 'toList'>
  readonly rules: Rules
  /** What the 501 of an operation without a response says to do. By default, it names stubs and handlers. */
  readonly hint?: string | undefined
}

/** Why a request gets a 400. */
export interface Invalid {
  readonly problem: string
}

/** The implementation of an operation. */
interface OperationBehaviour<Request, Input extends object> {
  /** Validates the request. Returns the input of `resolve`, or why the request is invalid. */
  parse(request: Request, context: OperationContext): Input | Invalid
  resolve(input: Input, context: OperationContext): WireResponse
}

/** An operation of the service: its implementation, and its method, path and statuses from the contract. */
export type Operation = ContractOperation & OperationBehaviour<OperationRequest, object>

/** What an operation is given: a petId and a body if the contract has them. */
type RequestOf<Id, Row = Extract<ContractOperation, { id: Id }>> = OperationRequest<
  Row extends { petIdParameter: string } ? PetKey : undefined,
  Row extends { hasBody: true } ? JsonObject : undefined
>

/**
 * Implements an operation of the contract.
 * @example
 * getPet: defineOperation('getPet', {
 *   parse: ({ petId }) => ({ petId }), // or { problem: 'petId must not be 0' }, for a 400
 *   // A pet that does not exist is a 404 before this.
 *   resolve: ({ petId }, { state }) => createJsonResponse(200, toItemJson(state.get(petId) as Pet)),
 * })
 */
export function defineOperation<Id extends OperationId, Input extends object>(
  id: Id,
  behaviour: OperationBehaviour<RequestOf<Id>, Input>,
): Operation {
  const contract = OPERATIONS.find((operation) => operation.id === id) as ContractOperation
  // The compiler has checked the request of this operation; `Operation` is the type for all of them.
  return { ...contract, ...(behaviour as unknown as OperationBehaviour<OperationRequest, object>) }
}

/** Defines an operation that the specification names without its response: a 501. */
function defineUnspecified(id: OperationId): Operation {
  return defineOperation(id, {
    parse: () => ({}),
    resolve: (_, { hint }) => createUnspecifiedResponse(OPERATIONS_BY_ID[id], hint),
  })
}

function createUnspecifiedResponse({ method, path }: ContractOperation, hint: string | undefined): WireResponse {
  const handler = `http.${method.toLowerCase()}('*${path.replaceAll(/\{(\w+)\}/g, ':$1')}', resolver)`
  const advice = `Add a stub (option stubs, or petstore-mock serve --stubs FILE) or a handler of your own: mock.use(${handler}), or petstore-mock serve --handlers FILE.`
  const fact = `The specification names ${method} ${path} but does not define its response.`
  return createErrorResponse('not_specified', `${fact} ${hint ?? advice}`)
}

/** In bytes. A larger body is rejected without being read to its end. */
export const LARGEST_UPDATE = 65_536

/** A request for an operation, and its context. */
export interface OperationRun extends OperationContext {
  readonly operation: Operation
  readonly auth: Pick<AuthResult, 'kind'>
  /** As it stands in the path, decoded; `undefined` if the path has none. */
  readonly petId: string | undefined
  readonly mediaType: string | undefined
  /** `undefined` for a method without one. */
  readonly body: Bytes | typeof BODY_TOO_LARGE | undefined
}

/** Executes an operation. That of a mutant may wait. */
export type Operate = (run: OperationRun) => Awaitable<WireResponse>

/** Executes a request if it passes all checks. The first one that fails decides the response. */
export function runOperation(run: OperationRun): WireResponse {
  const { operation, rules } = run
  // Parsed first, whatever comes first in the order of errors.
  const input = parseInput(run)
  // The specification defines only the 401 of an operation without a response.
  for (const status of operation.specified ? ORDERS[rules.order] : ([401] as const)) {
    const error = CHECKS[status](run, input)
    if (error !== undefined) return error
  }
  return operation.resolve(input, run)
}

/** The statuses of each order, in that order. */
const ORDERS = Object.fromEntries(
  ERROR_ORDERS.map((order) => [order, order.split(', ').map(Number)]),
) as unknown as Readonly<Record<ErrorOrder, readonly (400 | 401 | 404)[]>>

/** Each returns the error of a request that it does not pass. */
const CHECKS: Readonly<Record<400 | 401 | 404, (run: OperationRun, input: object) => WireResponse | undefined>> = {
  401: checkKey,
  400: ({ rules }, input) => ('problem' in input ? createInvalidResponse(String(input.problem), rules) : undefined),
  404: ({ petId, state, rules }) => {
    // The 400 handles a malformed id.
    const passes = petId === undefined || state.get(petId) !== undefined || isInvalid(petId, rules)
    return passes ? undefined : createUnknownPetResponse(petId, { state, rules })
  },
}

function checkKey({ auth, rules }: OperationRun): WireResponse | undefined {
  return auth.kind === 'valid' ? undefined : createKeyResponse(auth, rules)
}

/** The 401. RFC 6750, section 3.1: `error` is omitted if no token was sent. */
export function createKeyResponse({ kind }: Pick<AuthResult, 'kind'>, { challenge, codes }: Rules): WireResponse {
  return createErrorResponse('unauthorized', 'API key is missing or invalid', {
    sentCode: codes[401],
    ...(challenge === 'send' && {
      headers: { 'www-authenticate': kind === 'invalid' ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE },
    }),
  })
}

/** Whether a petId is a 400. By the rules, a malformed one may also be the id of a pet that does not exist. */
function isInvalid(petId: string, { malformedPetId }: Rules): boolean {
  return malformedPetId === 400 && !isPetKey(petId)
}

function createInvalidResponse(problem: string, { codes }: Rules): WireResponse {
  return createErrorResponse('invalid_request', problem, { sentCode: codes[400] })
}

/** The 404 of a pet that does not exist. */
function createUnknownPetResponse(
  petId: string,
  { state, rules }: Pick<OperationRun, 'state' | 'rules'>,
): WireResponse {
  const message = `There is no pet ${cut(petId)}${explainRounded(petId, state)}`
  return createErrorResponse('not_found', message, { sentCode: rules.codes[404] })
}

/** Names a pet whose id becomes the given one where JSON is read with numbers, as by `response.json()`. */
function explainRounded(petId: string, state: OperationRun['state']): string {
  if (!(Math.abs(Number(petId)) > Number.MAX_SAFE_INTEGER)) return ''
  const pet = state.values().find((each) => Number(each.petId) === Number(petId))
  return pet === undefined
    ? ''
    : `, but there is ${pet.petId}, which response.json() rounds. Read ids as text or bigint`
}

/** The input of `resolve`, or why the request is invalid. Problems are found in this order: petId, media type, body. */
function parseInput(run: OperationRun): object | Invalid {
  const { operation, petId, mediaType, body: bytes, rules } = run
  if (petId !== undefined && isInvalid(petId, rules))
    return {
      problem: `petId must be a whole number from -9223372036854775808 to 9223372036854775807 without leading zeros, got ${quote(petId)}${explainRounded(petId, run.state)}`,
    }
  if (!operation.hasBody) return operation.parse({ petId, body: undefined }, run)
  if (!isAccepted(mediaType, rules)) {
    const given = mediaType === undefined ? 'and none was sent' : `got ${quote(mediaType)}`
    return { problem: `Content-Type must be application/json, ${given}` }
  }
  const body = parseBody(bytes)
  return typeof body === 'string' ? { problem: `The body must be ${body}` } : operation.parse({ petId, body }, run)
}

/** `application/json` with any parameters, but no type with a `+json` suffix. */
const REQUEST_TYPE = /^\s*application\/json\s*(?:;|$)/i

function isAccepted(mediaType: string | undefined, { otherContentType }: Rules): boolean {
  return mediaType !== undefined && (REQUEST_TYPE.test(mediaType) || otherContentType === 'accept')
}

/** UTF-8 is the only encoding of JSON (RFC 8259, section 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Returns the JSON object, or what the body must be instead. An engine's own syntax error would not be the same everywhere. */
function parseBody(bytes: OperationRun['body']): JsonObject | string {
  if (bytes === BODY_TOO_LARGE || (bytes?.byteLength ?? 0) > LARGEST_UPDATE) return `at most ${LARGEST_UPDATE} bytes`
  if (bytes === undefined || bytes.byteLength === 0) return 'a JSON object: it is missing'
  try {
    const body = parseExactJson(utf8.decode(bytes))
    return isJsonObject(body) ? body : `a JSON object, got ${quote(body)}`
  } catch (error) {
    return `a JSON object: it is not valid ${error instanceof TypeError ? 'UTF-8' : 'JSON'}`
  }
}
