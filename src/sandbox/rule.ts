// What faults, stubs and searches of the journal share: which requests, and what is sent.

import * as v from 'valibot'
import { OPERATIONS, type OperationId } from '../contract/operations.gen.ts'
import { isJsonObject, writeExactJson } from '../http/exact-json.ts'
import { createPathMatcher } from '../http/router.ts'
import { must, oneOf, type Schema, selector, string } from '../http/schema.ts'
import { createResponse, isBodilessStatus, type WireResponse } from '../http/wire-response.ts'
import { PET_KEY, type PetIdLike, type PetKey } from '../inventory/pet.ts'

export const OPERATION_IDS: readonly OperationId[] = OPERATIONS.map(({ id }) => id)

/** Selects requests, in a fault or a search of the journal. All given properties must match. */
export interface RequestCondition {
  /** @default all operations, and requests to other routes */
  readonly operation?: OperationId
  /**
   * `GET` also selects `HEAD`.
   * @default all methods
   */
  readonly method?: RequestMethod
  /**
   * The path, as in an OpenAPI document, with or without the base path: `/orders/{id}`, or `/v1/orders/7`.
   * @default all paths
   */
  readonly path?: string
  /** @default all pets, and requests that do not concern a single pet */
  readonly petId?: PetIdLike
}

export interface ParsedCondition extends Omit<RequestCondition, 'petId'> {
  readonly petId?: PetKey
}

/** A method that a condition can have. */
export type RequestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The methods that a condition or a stub can have. @internal */
export const METHODS: readonly RequestMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Each segment is a name in braces, or text without the signs of other notations and of a query. URL parsing resolves `.`
 * and `..`, and makes a backslash a slash, so no request has them.
 */
const PATH_FORM = /^(?:\/(?:\{\w+\}|(?!:|\.{1,2}(?:\/|$))[^/{}*?#%\s\\]*))+$/

/** A path below the base path, with or without parameters. @internal */
export const PATH: Schema<string> = v.pipe(
  string,
  v.regex(
    PATH_FORM,
    must(
      'a path such as /pets/7 or /pets/{petId}, without a query, a wildcard, percent-encoding, a backslash, . or ..',
    ),
  ),
)

/** The schema of each property of a condition. @internal */
export const CONDITION: { readonly [Name in keyof Required<ParsedCondition>]: Schema<ParsedCondition[Name]> } = {
  operation: selector(oneOf(OPERATION_IDS), 'match every operation'),
  method: selector(oneOf(METHODS), 'match every method'),
  path: selector(PATH, 'match every path'),
  petId: selector(PET_KEY, 'match every pet'),
}

/** A check with its own sentence for each problem. `explain` returns `undefined` for a valid value. @internal */
export function checkWith<Value>(
  explain: (value: Value) => string | undefined,
): v.CheckAction<Value, (issue: v.CheckIssue<Value>) => string> {
  return v.check(
    (value) => explain(value) === undefined,
    ({ input }) => explain(input) ?? '',
  )
}

/** Explains what no request to the operation can have: with `not`, or in a fault, it would do nothing. */
export function explainContradiction({ operation: id, method, path, petId }: ParsedCondition): string | undefined {
  const operation = OPERATIONS.find((each) => each.id === id)
  if (operation === undefined) return undefined
  if (petId !== undefined && operation.petIdOf === undefined)
    return `petId cannot be used with ${id}, which does not concern a single pet`
  if (method !== undefined && method !== operation.method) return `method cannot be ${method} with ${id}`
  const segments = path?.replaceAll(/\{\w+\}/g, '{}').split('/')
  const isOwn = segments === undefined || createPathMatcher(operation.path)(segments) !== undefined
  return isOwn ? undefined : `path cannot be ${path} with ${id}, whose path is ${operation.path}`
}

/** The properties of a request that a condition looks at. */
export interface SelectedRequest {
  readonly operation: string | undefined
  readonly method: string
  /** The percent-encoded path below the base path, without the query. */
  readonly resource: string
  /** The same with the base path. */
  readonly path: string
  readonly petId: PetKey | undefined
}

/** One part of a condition. */
export interface Term<Subject> {
  isMet(subject: Subject): boolean
  /** Says what a subject that does not meet it is instead: `it is listInventory`. */
  explain(subject: Subject): string
}

export function toTerms({ operation, method, path, petId }: ParsedCondition): readonly Term<SelectedRequest>[] {
  const terms: Term<SelectedRequest>[] = []
  if (operation !== undefined)
    terms.push({
      isMet: (request) => request.operation === operation,
      explain: (request) => `it is ${request.operation ?? 'no operation'}`,
    })
  if (method !== undefined)
    terms.push({
      isMet: (request) => request.method === method || (method === 'GET' && request.method === 'HEAD'),
      explain: (request) => `its method is ${request.method}`,
    })
  if (path !== undefined) {
    const match = createPathMatcher(path)
    terms.push({
      isMet: (request) => [request.resource, request.path].some((each) => match(each.split('/')) !== undefined),
      explain: ({ resource }) => `its path is ${resource}`,
    })
  }
  if (petId !== undefined)
    terms.push({
      isMet: (request) => request.petId === petId,
      explain: (request) => `it is for pet ${request.petId ?? 'none'}`,
    })
  return terms
}

type Headers = Readonly<Record<string, string>>

/** What a fault or a stub sends. */
export interface RuleResponse {
  readonly status: number
  /** By their names in lower case. They replace the mock's own. */
  readonly headers?: Headers
  /** `undefined` for an empty body. */
  readonly text?: string | undefined
}

/** Creates the response of a fault or a stub. */
export function createRuleResponse({ status, headers, text }: RuleResponse): WireResponse {
  const response = createResponse(status, text ?? '', text === undefined ? {} : { 'content-type': 'application/json' })
  return { ...response, headers: { ...response.headers, ...headers } }
}

/** Headers to send, by their names in lower case. @internal */
export const HEADERS: Schema<Headers> = v.pipe(
  v.custom<object>(isJsonObject, must('an object with headers')),
  v.record(
    v.pipe(
      v.string(),
      v.regex(
        /^(?!(?:content-length|transfer-encoding|connection|trailer)$)[\w!#$%&'*+.^`|~-]+$/i,
        must('a header name other than Content-Length, Transfer-Encoding, Connection and Trailer'),
      ),
      v.toLowerCase(),
    ),
    // Service workers send other characters in another encoding.
    v.pipe(string, v.trim(), v.regex(/^[\t\x20-\x7e]*$/, must('a header value in ASCII'))),
  ),
)

/** Explains why a response cannot have its body. */
export function explainBody({
  status,
  body,
}: {
  readonly status?: number
  readonly body?: unknown
}): string | undefined {
  if (body === undefined || status === undefined || !isBodilessStatus(status)) return undefined
  return `has a body, which a response with the status ${status} cannot have`
}

const JSON_TYPE = /^application\/(?:.+\+)?json\b/i

/** Whether a body is a string to send as it is. Every other body is sent as JSON. */
export function isText(body: unknown, headers: Headers = {}): body is string {
  const type = headers['content-type']
  return typeof body === 'string' && type !== undefined && !JSON_TYPE.test(type)
}

/**
 * Serializes a body exactly, unless it is text.
 * @param path The name of the body in messages.
 * @throws {UnwritableError} for a value that JSON cannot represent.
 */
export function writeBody(
  body: unknown,
  { headers, path }: { readonly headers?: Headers | undefined; readonly path: string },
): string {
  return isText(body, headers) ? body : writeExactJson(body, { path, isStrict: true })
}
