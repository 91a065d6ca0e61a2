import * as v from 'valibot'
import { OPERATIONS } from '../contract/operations.gen.ts'
import { DEEPEST_JSON, isJsonObject, isPlain, JsonNumber, parseExactJson } from '../http/exact-json.ts'
import { hideInHeader } from '../http/hide-credentials.ts'
import { cut, isAsymmetric, quote, showValue } from '../http/quote.ts'
import { must, object, parseWith, readAs, selector, whole } from '../http/schema.ts'
import {
  CONDITION,
  checkWith,
  createMatcher,
  explainContradiction,
  type ParsedCondition,
  type RequestCondition,
  type SelectedRequest,
} from './condition.ts'
import type { JournalEntry } from './journal-entry.ts'

/** Selects exchanges. All given properties must match. */
export interface JournalFilter extends RequestCondition {
  /** The status of the response, such as 404, or a class of them, such as `4xx`. */
  readonly status?: number | `${1 | 2 | 3 | 4 | 5}xx`
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

type ParsedFilter = Omit<JournalFilter, keyof RequestCondition> & ParsedCondition

/** A validated filter. */
export interface JournalSearch {
  matches(entry: JournalEntry): boolean
  /** Why an entry does not match, apart from `after`. */
  explain(entry: JournalEntry): string[]
}

/** Values that no request in the journal can have are refused: with `.not` they would always pass. */
const HEADER_FILTER = v.pipe(
  v.custom<Readonly<Record<string, unknown>>>(
    (value) => isJsonObject(value) && (isPlain(value) || isAsymmetric(value)),
    must('an object of headers'),
  ),
  checkWith(explainHeaderFilter),
)

const BODY_FILTER = v.pipe(v.unknown(), checkWith(explainBodyFilter))

/** The operations whose requests have no body. */
const WITHOUT_BODY: readonly unknown[] = OPERATIONS.filter(({ hasBody }) => !hasBody).map(({ id }) => id)

const FILTER = v.pipe(
  object<ParsedFilter>({
    ...CONDITION,
    status: selector(readAs(readStatusFilter, 'an HTTP status, or a class of them such as 4xx'), 'match every status'),
    body: selector(BODY_FILTER, 'match any body'),
    headers: selector(HEADER_FILTER, 'match any headers'),
    // Undefined in `find({ after: journal.last()?.id })` before the first request.
    after: v.optional(whole(0, Number.MAX_SAFE_INTEGER, 'the id of an exchange')),
  }),
  checkWith<ParsedFilter>(explainContradiction),
  v.check(
    ({ operation, body }) => body === undefined || !WITHOUT_BODY.includes(operation),
    ({ input }) => `body cannot be used with ${input.operation}, which has no request body`,
  ),
)

/**
 * @param subject The name of the filter in messages.
 * @throws {MockError} `INVALID_FILTER` naming the invalid property.
 */
export function parseJournalFilter(filter: JournalFilter, subject = 'the filter'): JournalSearch {
  const refusal = { failure: 'Failed to search the journal', subject, code: 'INVALID_FILTER' } as const
  const { after = 0, ...parsed } = parseWith(FILTER, filter, refusal)
  const explainRequest = createMatcher(parsed)
  const explainExchange = createExchangeMatcher(parsed)
  const explain = (entry: JournalEntry): string[] => [...explainRequest(toRequest(entry)), ...explainExchange(entry)]
  return { matches: (entry) => entry.id > after && explain(entry).length === 0, explain }
}

/** @internal */
export function readStatusFilter(status: unknown): JournalFilter['status'] {
  if (typeof status === 'number') return Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined
  return typeof status === 'string' && /^[1-5]xx$/.test(status) ? (status as JournalFilter['status']) : undefined
}

function toRequest({ operation, request, resource, petId }: JournalEntry): SelectedRequest {
  const [path = ''] = request.path.split('?', 1)
  return { operation, method: request.method, resource, path, petId: petId === undefined ? undefined : String(petId) }
}

const LONGEST_SHOWN = 1000
const CUT =
  'its body is not all in the journal: it is long, or its client got the response before it had sent all of it'

/** Like `createMatcher`, for what a condition does not have. */
function createExchangeMatcher({ body, headers, status }: ParsedFilter): (entry: JournalEntry) => string[] {
  const show = (value: unknown): string => showValue(value, LONGEST_SHOWN)
  const shownBody = show(body)
  const names = Object.keys(headers ?? {}).map((name) => name.toLowerCase())
  const isCompared = ([name]: readonly [string, string]): boolean => isAsymmetric(headers) || names.includes(name)
  const pick = (all: object): object => Object.fromEntries(Object.entries(all).filter(isCompared))
  return ({ request, answer }) =>
    [
      body !== undefined &&
        !contains(parseBody(request.body), body) &&
        (request.isCut === true ? CUT : `its body is not ${shownBody}`),
      headers !== undefined &&
        !hasHeaders(request, headers) &&
        `its headers are not ${show(headers)} but ${show(pick(request.headers))}`,
      status !== undefined &&
        answer?.status !== status &&
        `${answer?.status}`.replace(/\d\d$/, 'xx') !== status &&
        (answer === undefined ? 'it got no response' : `its response status is ${answer.status}`),
    ].filter((reason) => reason !== false)
}

function hasHeaders({ headers }: JournalEntry['request'], wanted: Readonly<Record<string, unknown>>): boolean {
  if (isAsymmetric(wanted)) return contains(headers, wanted)
  return Object.entries(wanted).every(([name, value]) => contains(readOwn(headers, name.toLowerCase()), value))
}

/** Explains the first header whose wanted value is never in the journal. */
function explainHeaderFilter(wanted: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of isAsymmetric(wanted) ? [] : Object.entries(wanted)) {
    const example = typeof value === 'string' ? value : 'Bearer key'
    const shown = hideInHeader(name.toLowerCase(), example)
    if (value !== undefined && shown !== example)
      return `cannot have this ${cut(name)}: the journal hides credentials. Search for "${shown}", or look in the sandbox of the API key.`
    if (typeof value !== 'string' && value !== undefined && !isAsymmetric(value))
      return `must have a string or an asymmetric matcher for ${cut(name)}, got ${quote(value)}`
  }
  return undefined
}

/** Explains why a body can never match: it is JSON text, or has a part that JSON does not have. */
function explainBodyFilter(body: unknown): string | undefined {
  const value = typeof body === 'string' ? parseBody(body) : undefined
  if (Array.isArray(value) || isJsonObject(value))
    return `must not be JSON text: pass the ${Array.isArray(value) ? 'array' : 'object'} itself`
  return explainPart(body, 'it', 0)
}

function explainPart(value: unknown, path: string, depth: number): string | undefined {
  if (isAsymmetric(value) || value instanceof JsonNumber || value === null || Number.isFinite(value)) return undefined
  // Also an object that contains itself.
  if (depth > DEEPEST_JSON) return `is nested more than ${DEEPEST_JSON} levels deep`
  if (Array.isArray(value) || (typeof value === 'object' && isPlain(value)))
    return Object.entries(value).reduce<string | undefined>(
      (problem, [name, member]) => problem ?? explainPart(member, name, depth + 1),
      undefined,
    )
  if (['boolean', 'string', 'bigint'].includes(typeof value)) return undefined
  const isNative = Object.prototype.toString.call(value).startsWith('[object Expect')
  if (isNative) return `cannot have a matcher of bun as ${path}: compare the body of a journal entry with it instead`
  return `can never match: ${path} must be JSON, or an asymmetric matcher such as expect.any(Number), got ${quote(value)}`
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

function parseBody(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}
