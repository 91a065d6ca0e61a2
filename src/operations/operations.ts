import { OPERATIONS, type OperationId } from '../contract/operations.gen.ts'
import type { Bytes } from '../http/bytes.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { isJsonObject, type JsonObject, parseExactJson } from '../http/exact-json.ts'
import { cut, quote } from '../http/quote.ts'
import { createRouter, type Router } from '../http/router.ts'
import { type Awaitable, BODY_TOO_LARGE, whenReady } from '../http/wire-request.ts'
import { createJsonResponse, type WireResponse } from '../http/wire-response.ts'
import { isPetKey, type PetKey, parseStockUpdate, toItemJson } from '../inventory/pet.ts'
import type { ErrorOrder, Rules } from '../inventory/profile.ts'
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
    resolve({ petId, quantity }, { state, rules }) {
      // The pet can be gone by the time that the body has arrived.
      const pet = state.get(petId)
      if (pet === undefined) return createUnknownPetResponse(petId, rules)
      return createJsonResponse(200, toItemJson(state.put({ petId, quantity, status: pet.status })))
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
export function hasSpecifiedResponse(method: string, path: string): boolean {
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

type RequestOf<Id, Row = Extract<ContractOperation, { id: Id }>> = OperationRequest<
  Row extends { petIdOf: string } ? PetKey : undefined,
  Row extends { hasBody: true } ? JsonObject : undefined
>

/**
 * Implements an operation of the contract.
 * @example
 * export const getPet = defineOperation('getPet', {
 *   parse: ({ petId }) => (petId === '0' ? { problem: 'petId must not be 0' } : { petId }),
 *   resolve({ petId }, { state, rules }) {
 *     const pet = state.get(petId)
 *     return pet === undefined ? createUnknownPetResponse(petId, rules) : createJsonResponse(200, toItemJson(pet))
 *   },
 * })
 */
export function defineOperation<Id extends OperationId, Input extends object>(
  id: Id,
  behaviour: OperationBehaviour<RequestOf<Id>, Input>,
): Operation {
  const contract = OPERATIONS.find((operation) => operation.id === id) as ContractOperation
  return { ...contract, ...(behaviour as unknown as OperationBehaviour<OperationRequest, object>) }
}

/** Defines an operation that the specification names without its response. */
function defineUnspecified(id: OperationId): Operation {
  return defineOperation(id, { parse: () => ({}), resolve: () => createUnspecifiedResponse(OPERATIONS_BY_ID[id]) })
}

/** The 501 of an operation that the specification names without its response. */
export function createUnspecifiedResponse({ method, path }: ContractOperation, hint?: string): WireResponse {
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
  /** As it stands in the path, decoded; `undefined` if the path has none. */
  readonly petId: string | undefined
  readonly mediaType: string | undefined
  /** Reads up to `LARGEST_UPDATE` bytes. */
  readonly readBody: () => Awaitable<Bytes | typeof BODY_TOO_LARGE>
  /** The 401; `undefined` with a valid key. */
  readonly keyError: WireResponse | undefined
}

/** Returns the error of a request that it does not pass. */
type Check = (run: OperationRun) => WireResponse | undefined

const checkKey: Check = ({ keyError }) => keyError

/** The checks before and after that of the body, which is read only if those before it pass. */
const CHECKS: Readonly<Record<ErrorOrder, readonly [before: readonly Check[], after: readonly Check[]]>> = {
  '401, 400, 404': [[checkKey, checkPetId], [checkPet]],
  '401, 404, 400': [[checkKey, checkPet, checkPetId], []],
  '400, 401, 404': [[checkPetId], [checkKey, checkPet]],
  '400, 404, 401': [[checkPetId], [checkPet, checkKey]],
  '404, 401, 400': [[checkPet, checkKey, checkPetId], []],
  '404, 400, 401': [[checkPet, checkPetId], [checkKey]],
}

/** Executes a request if it passes all checks. The first one that fails decides the response. */
export function runOperation(run: OperationRun): Awaitable<WireResponse> {
  const { operation, rules, keyError } = run
  // The specification defines only the 401 of an operation without a response.
  if (!operation.specified) return keyError ?? operation.resolve({}, run)
  const [before, after] = CHECKS[rules.order]
  const error = findError(run, before)
  if (error !== undefined) return error
  return whenReady(readRequest(run), (read) => {
    const input = 'problem' in read ? read : operation.parse(read, run)
    if ('problem' in input) return createInvalidResponse((input as Invalid).problem, rules)
    return findError(run, after) ?? operation.resolve(input, run)
  })
}

function findError(run: OperationRun, checks: readonly Check[]): WireResponse | undefined {
  return checks.reduce<WireResponse | undefined>((error, check) => error ?? check(run), undefined)
}

/** A malformed petId that counts as an unknown pet is left to `checkPet`. */
function checkPetId({ petId, rules }: OperationRun): WireResponse | undefined {
  if (petId === undefined || !isInvalid(petId, rules)) return undefined
  return createInvalidResponse(
    `petId must be a whole number from -9223372036854775808 to 9223372036854775807 without leading zeros, got ${quote(petId)}`,
    rules,
  )
}

function checkPet({ petId, state, rules }: OperationRun): WireResponse | undefined {
  const isKnown = petId === undefined || state.get(petId) !== undefined || isInvalid(petId, rules)
  return isKnown ? undefined : createUnknownPetResponse(petId, rules)
}

/** Whether a petId is a 400. By the rules, a malformed one may also be the id of a pet that does not exist. */
function isInvalid(petId: string, { malformedPetId }: Rules): boolean {
  return malformedPetId === 400 && !isPetKey(petId)
}

function createInvalidResponse(problem: string, { codes }: Rules): WireResponse {
  return createErrorResponse('invalid_request', problem, { sentCode: codes[400] })
}

/** The 404 of a pet that does not exist. */
function createUnknownPetResponse(petId: string, { codes }: Rules): WireResponse {
  return createErrorResponse('not_found', `There is no pet ${cut(petId)}`, { sentCode: codes[404] })
}

/** Problems are reported in this order: media type, body. */
function readRequest(run: OperationRun): Awaitable<OperationRequest | Invalid> {
  const { operation, petId, mediaType, rules } = run
  if (!operation.hasBody) return { petId, body: undefined }
  if (!isAccepted(mediaType, rules)) {
    const given = mediaType === undefined ? 'and none was sent' : `got ${quote(mediaType)}`
    return { problem: `Content-Type must be application/json, ${given}` }
  }
  return whenReady(run.readBody(), (bytes) => {
    const body = bytes === BODY_TOO_LARGE ? `at most ${LARGEST_UPDATE} bytes` : parseBody(bytes)
    return typeof body === 'string' ? { problem: `The body must be ${body}` } : { petId, body }
  })
}

/** `application/json` with any parameters, but no type with a `+json` suffix. */
const REQUEST_TYPE = /^\s*application\/json\s*(?:;|$)/i

function isAccepted(mediaType: string | undefined, { otherContentType }: Rules): boolean {
  return mediaType !== undefined && (REQUEST_TYPE.test(mediaType) || otherContentType === 'accept')
}

/** UTF-8 is the only encoding of JSON (RFC 8259, section 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Returns the JSON object, or what the body must be instead. An engine's own syntax error would not be the same everywhere. */
function parseBody(bytes: Bytes): JsonObject | string {
  if (bytes.byteLength === 0) return 'a JSON object: it is missing'
  try {
    const body = parseExactJson(utf8.decode(bytes))
    return isJsonObject(body) ? body : `a JSON object, got ${quote(body)}`
  } catch (error) {
    return `a JSON object: it is not valid ${error instanceof TypeError ? 'UTF-8' : 'JSON'}`
  }
}
