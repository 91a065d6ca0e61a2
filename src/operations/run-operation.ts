import type { Bytes } from '../http/bytes.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { isJsonObject, type JsonObject, NestingError, parseExactJson } from '../http/exact-json.ts'
import { cut, quote } from '../http/quote.ts'
import type { PathParams } from '../http/router.ts'
import { type Awaitable, BODY_TOO_LARGE, type WireRequest, whenReady } from '../http/wire-request.ts'
import type { WireResponse } from '../http/wire-response.ts'
import { isBeyondInt64, isPetKey } from '../inventory/pet.ts'
import type { Rules } from '../inventory/profile.ts'
import type { Operation, OperationContext, OperationRequest, Problem } from './define-operation.ts'

/** In bytes. A larger body is rejected without being read to its end. */
export const LARGEST_BODY = 65_536
/** The message of the 400 for a larger one. */
export const TOO_LARGE: string = `The body must be at most ${LARGEST_BODY} bytes`

/** A request for an operation, and its context. */
export interface OperationRun extends OperationContext {
  readonly operation: Operation
  readonly params: PathParams
  readonly request: Pick<WireRequest, 'header'> & {
    /** Reads up to `LARGEST_BODY` bytes. */
    readBody(): Awaitable<Bytes | typeof BODY_TOO_LARGE>
  }
  /** Creates the 401; `undefined` with a valid key. */
  readonly refuseKey: (() => WireResponse) | undefined
  /** Throws if the state is no longer that of the request. */
  assertCurrent(): void
}

/** Runs the checks in the order of the rules, then executes the request. Reads the body only if it is needed. */
export function runOperation(run: OperationRun): Awaitable<WireResponse> {
  const { operation, rules } = run
  // The specification defines only the 401 of an operation without a response.
  const [before = '', after = ''] = operation.specified ? rules.order.split('400') : ['401']
  run.assertCurrent()
  const error = findError(run, rules.malformedPetIdOrder === 'first' ? `petId, ${before}` : `${before}, petId`)
  if (error !== undefined) return error
  return whenReady(readRequest(run), (read) => {
    run.assertCurrent()
    const input = 'problem' in read ? read : operation.parse(read, run)
    if (!('problem' in input)) return findError(run, after) ?? operation.resolve(input, run)
    return createErrorResponse('invalid_request', (input as Problem).problem, { sentCode: rules.codes[400] })
  })
}

/** The 404 of a pet that does not exist. */
export function createUnknownPetResponse(petId: string, { codes }: Rules): WireResponse {
  return createErrorResponse('not_found', `There is no pet ${cut(petId)}`, { sentCode: codes[404] })
}

/** The petId of a path as it stands there, decoded; `undefined` if this operation has none. */
export function findPetId({ petIdOf }: Pick<Operation, 'petIdOf'>, params: PathParams): string | undefined {
  return petIdOf && params[petIdOf]
}

/** @param checks The statuses before or after the 400, and when a malformed petId is looked for: `401, 404, petId`. */
function findError(
  { operation, params, state, rules, refuseKey }: OperationRun,
  checks: string,
): WireResponse | undefined {
  const petId = operation.specified ? findPetId(operation, params) : undefined
  for (const check of checks.split(', ')) {
    if (check === '401' && refuseKey !== undefined) return refuseKey()
    if (petId === undefined || (check === 'petId' && isPetKey(petId))) continue
    const isBad = isInvalidPetId(petId, rules)
    const isOver = check === 'petId' && rules.malformedPetIdOrder !== 'as others'
    const text = isBad ? `petId must be an int64 in canonical decimal form, got ${quote(petId)}` : ''
    if (check === 'petId' && isBad) return createErrorResponse('invalid_request', text, { sentCode: rules.codes[400] })
    if ((check === '404' && !isBad && state.get(petId) === undefined) || isOver)
      return createUnknownPetResponse(petId, rules)
  }
  return undefined
}

/** Parses a request. Problems are reported in this order: media type, body. */
function readRequest({ operation, params, request, rules }: OperationRun): Awaitable<OperationRequest | Problem> {
  const petId = findPetId(operation, params)
  const read = { petId, body: undefined }
  if (!operation.specified || !operation.hasBody) return read
  const mediaType = request.header('content-type')
  if (!isAccepted(mediaType, rules)) {
    const given = mediaType === undefined ? 'and none was sent' : `got ${quote(mediaType)}`
    return { problem: `Content-Type must be application/json, ${given}` }
  }
  return whenReady(request.readBody(), (bytes) => {
    const parsed = bytes === BODY_TOO_LARGE ? { problem: TOO_LARGE } : parseBody(bytes, rules)
    return 'problem' in parsed ? parsed : { ...read, ...parsed }
  })
}

/** Whether a petId is a 400. By the rules it may also be the id of a pet that does not exist. */
function isInvalidPetId(petId: string, { malformedPetId, petIdBeyondInt64 }: Rules): boolean {
  if (isPetKey(petId)) return false
  return (isBeyondInt64(petId) ? petIdBeyondInt64 : malformedPetId) === 400
}

/** `application/json` with any parameters, but no type with a `+json` suffix. */
const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i

function isAccepted(mediaType: string | undefined, { missingContentType, otherContentType }: Rules): boolean {
  if (mediaType === undefined) return missingContentType === 'accept'
  return JSON_TYPE.test(mediaType) || otherContentType === 'accept'
}

/** UTF-8 is the only encoding of JSON (RFC 8259, section 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Replaces the engine's own syntax error, so that the message is the same everywhere. */
function parseBody(bytes: Bytes, { decimalQuantity }: Rules): { readonly body: JsonObject } | Problem {
  if (bytes.byteLength === 0) return { problem: 'The body must be a JSON object: it is missing' }
  try {
    const body = parseExactJson(utf8.decode(bytes), { keepsDecimals: decimalQuantity === 'reject' })
    return isJsonObject(body) ? { body } : { problem: `The body must be a JSON object, got ${quote(body)}` }
  } catch (error) {
    const fault = error instanceof TypeError ? 'not valid UTF-8' : 'not valid JSON'
    const reason = error instanceof NestingError ? error.message : fault
    return { problem: `The body must be a JSON object: it is ${reason}` }
  }
}
