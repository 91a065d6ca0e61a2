import * as v from 'valibot'
import { OPERATIONS } from '../contract/operations.gen.ts'
import { DEEPEST_JSON, isJsonObject, isPlain, parseExactJson } from '../http/exact-json.ts'
import { hideInHeader } from '../http/hide-credentials.ts'
import { cut, isAsymmetric, quote, showValue } from '../http/quote.ts'
import { must, object, parseWith, readAs, selector, whole } from '../http/schema.ts'
import {
  CONDITION,
  checkWith,
  createExplainer,
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
   * search for `Bearer (hidden)`.
   */
  readonly headers?: Readonly<Record<string, unknown>>
  /** Matches only exchanges newer than the one with this id. */
  readonly after?: number
}

type Headers = NonNullable<JournalFilter['headers']>

type ParsedFilter = Omit<JournalFilter, keyof RequestCondition> & ParsedCondition

/** A validated filter. */
export interface JournalSearch {
  matches(entry: JournalEntry): boolean
  /** Why an entry does not match, apart from `after`. */
  explain(entry: JournalEntry): string[]
}

/** Values that no request in the journal can have are refused: with `.not` they would always pass. */
const HEADER_FILTER = v.pipe(
  v.custom<Headers>((value) => isJsonObject(value) && isPlain(value), must('an object of headers')),
  checkWith(explainHeaderFilter),
)

const BODY_FILTER = v.pipe(
  v.unknown(),
  v.check((body) => !isJsonText(body), 'must not be JSON text: pass the value itself'),
  v.check((body) => isMatchable(body), must('JSON, with asymmetric matchers such as expect.any(Number)')),
)

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
  checkWith<ParsedFilter>(({ operation, body }) => {
    const isBodiless = OPERATIONS.some(({ id, hasBody }) => id === operation && !hasBody)
    return isBodiless && body !== undefined
      ? `body cannot be used with ${operation}, which has no request body`
      : undefined
  }),
)

/**
 * @param subject The name of the filter in messages.
 * @throws {MockError} `INVALID_FILTER` naming the invalid property.
 */
export function parseJournalFilter(filter: JournalFilter, subject = 'the filter'): JournalSearch {
  const refusal = { failure: 'Failed to search the journal', subject, code: 'INVALID_FILTER' } as const
  const { after = 0, ...parsed } = parseWith(FILTER, filter, refusal)
  const explainRequest = createExplainer(parsed)
  const explainExchange = createExchangeExplainer(parsed)
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

/** Like `createExplainer`, for what a condition does not have. */
function createExchangeExplainer({ body, headers = {}, status }: ParsedFilter): (entry: JournalEntry) => string[] {
  const show = (value: unknown): string => showValue(value, LONGEST_SHOWN)
  const wanted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return ({ request, answer }) => {
    const sent = Object.fromEntries(Object.keys(wanted).map((name) => [name, readOwn(request.headers, name)]))
    return [
      body !== undefined &&
        !contains(parseBody(request.body), body) &&
        (request.isCut === true ? CUT : `its body is not ${show(body)}`),
      !contains(sent, wanted) && `its headers are not ${show(wanted)} but ${show(sent)}`,
      status !== undefined &&
        !(answer && hasStatus(answer, status)) &&
        (answer === undefined ? 'it got no response' : `its response status is ${answer.status}`),
    ].filter((reason) => reason !== false)
  }
}

function hasStatus({ status }: { readonly status: number }, wanted: number | string): boolean {
  return status === wanted || `${Math.floor(status / 100)}xx` === wanted
}

/** Explains the first header whose wanted value is never in the journal. */
function explainHeaderFilter(wanted: Headers): string | undefined {
  for (const [name, value] of Object.entries(wanted)) {
    if (value === undefined || isAsymmetric(value)) continue
    if (typeof value !== 'string')
      return `must have a string or an asymmetric matcher for ${cut(name)}, got ${quote(value)}`
    const shown = hideInHeader(name.toLowerCase(), value)
    if (shown !== value)
      return `cannot have this ${cut(name)}: the journal hides credentials. Search for "${shown}", or look in the sandbox of the API key.`
  }
  return undefined
}

function isJsonText(body: unknown): boolean {
  const value = typeof body === 'string' ? parseBody(body) : undefined
  return Array.isArray(value) || isJsonObject(value)
}

/** Whether a JSON body can equal the value. Not one that contains itself, either. */
function isMatchable(value: unknown, depth = 0): boolean {
  if (isAsymmetric(value) || value === null) return true
  if (typeof value !== 'object') return ['boolean', 'string', 'bigint'].includes(typeof value) || Number.isFinite(value)
  if (depth > DEEPEST_JSON || !(Array.isArray(value) || isPlain(value))) return false
  return Object.values(value).every((member) => isMatchable(member, depth + 1))
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
