import type { Bytes } from '../http/bytes.ts'
import { type ExactOptions, isJsonObject, type JsonObject, NestingError, parseExactJson } from '../http/exact-json.ts'
import { quote } from '../http/quote.ts'
import type { PathParams } from '../http/router.ts'
import { type Awaitable, BODY_TOO_LARGE, type WireRequest, whenReady } from '../http/wire-request.ts'
import { isBeyondInt64, isPetKey, type PetKey } from '../inventory/pet.ts'
import type { Rules } from '../inventory/profile.ts'
import { findPathPetId, type Operation, type OperationRequest, type Problem, refuse } from './define-operation.ts'

/** In bytes. A larger body is rejected without being read to its end. */
export const LARGEST_BODY = 65_536
/** The message of the 400 for a larger one. */
export const TOO_LARGE: string = `The body must be at most ${LARGEST_BODY} bytes`

/** The part of a request that operations read. */
export interface ReadableRequest extends Pick<WireRequest, 'header'> {
  /** Reads up to `LARGEST_BODY` bytes. */
  readBody(): Awaitable<Bytes | typeof BODY_TOO_LARGE>
}

/**
 * Parses a request. Problems are reported in this order: petId in the path, media type, body. The body is read only if
 * the first two are valid.
 */
export function readRequest(
  request: ReadableRequest,
  { operation, params, rules }: { operation: Operation; params: PathParams; rules: Rules },
): Awaitable<OperationRequest | Problem> {
  const { petIdOf, hasBody } = operation
  const petId = findPathPetId(operation, params)
  // The specification defines nothing to validate for this operation.
  if (!operation.specified) return { params, petId, body: undefined }
  if (petId !== undefined && isInvalidPetId(petId, rules)) return toPetIdProblem(petId)
  if (!hasBody) return { params, petId, body: undefined }
  const mediaType = request.header('content-type')
  if (!isAccepted(mediaType, rules)) return refuse(toMediaTypeMessage(mediaType))
  return whenReady(request.readBody(), (bytes) => {
    const parsed = parseBody(bytes, { keepsDecimals: rules.decimalQuantity === 'reject' })
    if ('problem' in parsed) return parsed
    const { body } = parsed
    if (petIdOf?.in !== 'body') return { params, petId, body }
    const named = readBodyPetId(body, { name: petIdOf.name, rules })
    return typeof named === 'object' ? named : { params, petId: named, body }
  })
}

/** Whether a petId is a 400. By the rules it may also be the id of a pet that does not exist. */
export function isInvalidPetId(petId: string, { malformedPetId, petIdBeyondInt64 }: Rules): boolean {
  if (isPetKey(petId)) return false
  return (isBeyondInt64(petId) ? petIdBeyondInt64 : malformedPetId) === 400
}

/** The petId in a body, for faults and the journal. Returns `undefined` if the body is invalid or has none. */
export function findBodyPetId(bytes: Bytes, name: string): PetKey | undefined {
  const parsed = parseBody(bytes)
  const petId = 'problem' in parsed ? parsed : readBodyPetId(parsed.body, { name })
  return typeof petId === 'string' ? petId : undefined
}

/** Returns `undefined` if the body omits the petId. */
function readBodyPetId(
  body: JsonObject,
  { name, rules }: { readonly name: string; readonly rules?: Rules },
): PetKey | Problem | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (value === undefined) return undefined
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) return toPetIdProblem(value, name)
  const petId = String(value)
  const isValid = rules === undefined ? isPetKey(petId) : !isInvalidPetId(petId, rules)
  return isValid ? petId : toPetIdProblem(value, name)
}

function toPetIdProblem(value: unknown, name = 'petId'): Problem {
  return refuse(`${name} must be an int64 in canonical decimal form, got ${quote(value)}`)
}

/** Whether the type is `application/json`, with any parameters. Types with a `+json` suffix are not accepted. */
function isJsonMediaType(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true
  const [essence = ''] = (contentType ?? '').toLowerCase().split(';')
  return essence.trim() === 'application/json'
}

function isAccepted(mediaType: string | undefined, { missingContentType, otherContentType }: Rules): boolean {
  return isJsonMediaType(mediaType) || (mediaType === undefined ? missingContentType : otherContentType) === 'accept'
}

function toMediaTypeMessage(mediaType: string | undefined): string {
  const wanted = 'Content-Type must be application/json'
  return mediaType === undefined ? `${wanted}, and none was sent` : `${wanted}, got ${quote(mediaType)}`
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Replaces the engine's own syntax error, so that the message is the same everywhere. */
function parseBody(
  bytes: Bytes | typeof BODY_TOO_LARGE,
  options: ExactOptions = {},
): { readonly body: JsonObject } | Problem {
  if (bytes === BODY_TOO_LARGE) return refuse(TOO_LARGE)
  if (bytes.byteLength === 0) return refuse('The body must be a JSON object: it is missing')
  const text = decodeUtf8(bytes)
  if (text === undefined) return refuse('The body must be a JSON object: it is not valid UTF-8')
  try {
    const body = parseExactJson(text, options)
    return isJsonObject(body) ? { body } : refuse(`The body must be a JSON object, got ${quote(body)}`)
  } catch (error) {
    const reason = error instanceof NestingError ? error.message : 'not valid JSON'
    return refuse(`The body must be a JSON object: it is ${reason}`)
  }
}

/** Returns `undefined` unless the bytes are UTF-8, the only encoding of JSON (RFC 8259, section 8.1). */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
