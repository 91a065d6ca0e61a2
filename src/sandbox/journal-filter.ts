import * as v from 'valibot'
import { isJsonObject, parseExactJson } from '../http/exact-json.ts'
import { hideInHeader } from '../http/hide-credentials.ts'
import { isPlain } from '../http/plain-object.ts'
import { cut, isAsymmetric, quote } from '../http/quote.ts'
import { must, object, parseWith, type Schema, selector, whole } from '../http/schema.ts'
import type { PetIdLike, PetKey } from '../inventory/pet.ts'
import { explainExpectedBody } from './expected-body.ts'
import type { JournalEntry } from './journal-entry.ts'
import {
  canHaveBody,
  canHavePet,
  explainBody,
  explainPet,
  type FaultOperation,
  OPERATION,
  SELECTED_PET,
} from './operation-selection.ts'

/** Selects exchanges. All given properties must match. */
export interface JournalFilter {
  /** The operation of the request. */
  readonly operation?: FaultOperation
  /** The pet that the request is about. */
  readonly petId?: PetIdLike
  /** The status of the response. */
  readonly status?: number
  /**
   * The JSON body of the request. An object matches if it has at least these properties. Asymmetric matchers such as
   * `expect.any(Number)` may stand anywhere in it.
   */
  readonly body?: unknown
  /**
   * Headers of the request: strings or asymmetric matchers, by their names in any case. The journal hides credentials:
   * search for `Bearer (hidden)`. Other values of such a header are refused.
   */
  readonly headers?: Readonly<Record<string, unknown>>
  /** Matches only exchanges newer than the one with this id. */
  readonly after?: number
}

interface ParsedFilter extends Omit<JournalFilter, 'petId'> {
  readonly petId?: PetKey
}

/**
 * Headers to look for. A value that no request in the journal can have is refused: with `.not` it would always pass.
 * @internal
 */
export const HEADERS: Schema<Readonly<Record<string, unknown>>> = selector(
  v.pipe(
    v.custom<Readonly<Record<string, unknown>>>(
      (value) => isJsonObject(value) && (isPlain(value) || isAsymmetric(value)),
      must('an object of headers'),
    ),
    v.check(
      (wanted) => explainHeaders(wanted) === undefined,
      ({ input }) => explainHeaders(input) ?? '',
    ),
  ),
  'match any headers',
)

/** The status of a response. @internal */
export const STATUS: Schema<number> = selector(whole(100, 599, 'an HTTP status'), 'match every status')

/** A JSON text is refused: it is compared as a string, so with `.not` it would always pass. */
const BODY = v.pipe(
  v.unknown(),
  v.check(
    (body) => toStructure(body) === undefined,
    ({ input }) => `must not be JSON text: pass the ${toStructure(input)} itself`,
  ),
  v.check(
    (body) => explainExpectedBody(body) === undefined,
    ({ input }) => explainExpectedBody(input) ?? '',
  ),
)

const FILTER = v.pipe(
  object<ParsedFilter>({
    operation: OPERATION,
    petId: SELECTED_PET,
    status: STATUS,
    body: selector(BODY, 'match any body'),
    headers: HEADERS,
    // Undefined in `find({ after: journal.last()?.id })` before the first request.
    after: v.optional(whole(0, Number.MAX_SAFE_INTEGER, 'the id of an exchange')),
  }),
  v.check((filter) => canHavePet(filter), explainPet),
  v.check((filter) => canHaveBody(filter), explainBody),
)

/** @throws {MockError} `INVALID_FILTER` naming the invalid property. */
export function parseJournalFilter(filter: JournalFilter): (entry: JournalEntry) => boolean {
  const refusal = { failure: 'Failed to search the journal', subject: 'the filter', code: 'INVALID_FILTER' } as const
  const { operation, petId, status, body, headers, after = 0 } = parseWith(FILTER, filter, refusal)
  return (entry) =>
    entry.id > after &&
    (operation === undefined || entry.operation === operation) &&
    (petId === undefined || (entry.petId !== undefined && String(entry.petId) === petId)) &&
    (status === undefined || entry.answer?.status === status) &&
    (headers === undefined || hasHeaders(entry, headers)) &&
    (body === undefined || contains(parseBody(entry.request.body), body))
}

export function hasHeaders({ request }: JournalEntry, wanted: Readonly<Record<string, unknown>>): boolean {
  if (isAsymmetric(wanted)) return contains(request.headers, wanted)
  return Object.entries(wanted).every(([name, value]) => contains(readOwn(request.headers, name.toLowerCase()), value))
}

/** The headers of a request that are compared with the wanted ones. */
export function pickHeaders({ request }: JournalEntry, wanted: Readonly<Record<string, unknown>>): object {
  const compared = toCompared(wanted)
  if (compared === undefined) return request.headers
  const names = Object.keys(compared).map((name) => name.toLowerCase())
  return Object.fromEntries(Object.entries(request.headers).filter(([name]) => names.includes(name)))
}

/** The sample of `expect.objectContaining(sample)`; `undefined` for another asymmetric matcher. */
function toCompared(wanted: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  const compared = isAsymmetric(wanted) ? wanted['sample'] : wanted
  return isJsonObject(compared) ? compared : undefined
}

/** Explains the first header whose wanted value is never in the journal. */
function explainHeaders(wanted: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries(toCompared(wanted) ?? {})) {
    const example = typeof value === 'string' ? value : 'Bearer key'
    const shown = hideInHeader(name.toLowerCase(), example)
    if (value !== undefined && shown !== example)
      return `cannot have this ${cut(name)}: the journal hides credentials. Search for "${shown}", or look in the sandbox of the API key.`
    if (typeof value !== 'string' && value !== undefined && !isAsymmetric(value))
      return `must have a string or an asymmetric matcher for ${cut(name)}, got ${quote(value)}`
  }
  return undefined
}

/** Whether a JSON value equals `wanted`, or is an object with at least its properties. */
export function contains(value: unknown, wanted: unknown): boolean {
  if (isAsymmetric(wanted)) return wanted.asymmetricMatch(value)
  if (isNumber(wanted)) return isNumber(value) && value <= wanted && value >= wanted
  if (typeof wanted !== 'object' || wanted === null) return value === wanted
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(wanted)) return false
  if (Array.isArray(value) && value.length !== (wanted as unknown[]).length) return false
  return Object.entries(wanted).every(([name, each]) => contains(readOwn(value, name), each))
}

/** Ignores inherited properties such as `__proto__`. */
function readOwn(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined
}

/** `<=` and `>=` compare numbers with bigints exactly; `===` is always false for them. */
function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** The kind of value that a JSON text holds, if it is an object or an array. */
function toStructure(text: unknown): 'object' | 'array' | undefined {
  const value = typeof text === 'string' ? parseBody(text) : undefined
  if (Array.isArray(value)) return 'array'
  return isJsonObject(value) ? 'object' : undefined
}

function parseBody(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}
