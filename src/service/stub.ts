import * as v from 'valibot'
import { isJsonObject } from '../http/exact-json.ts'
import { boolean, must, object, oneOf, type Schema, string, whole } from '../http/schema.ts'
import { isBodilessStatus } from '../http/wire-response.ts'
import { METHODS, PATH } from '../sandbox/request-condition.ts'

/** The response to requests that the specification does not show. */
export interface Stub {
  /**
   * `GET` (also for `HEAD`), `POST`, `PUT`, `PATCH` or `DELETE`.
   * @default 'GET'
   */
  readonly method?: string
  /** Below the base path, as in the OpenAPI document: `/pets/{petId}`. A literal `/pets/7` is matched first. */
  readonly path: string
  /** @default 200 */
  readonly status?: number
  /** Headers of the response. They replace the mock's own, such as `Content-Type`. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Sent as exact JSON, or as it is if it is a string and `headers` has a `content-type` other than JSON. `{petId}` is
   * replaced by the parameter of the path. A string that is only `{petId}` becomes a number if the parameter is an integer.
   */
  readonly body?: unknown
  /**
   * Whether a request without a valid API key is a 401. The two operations that the specification names always need one.
   * @default true
   */
  readonly needsKey?: boolean
}

/** A validated stub. */
export type ParsedStub = Required<Omit<Stub, 'body'>> & Pick<Stub, 'body'>

const HEADER_RECORD = v.record(
  v.pipe(
    v.string(),
    v.regex(
      /^(?!(?:content-length|transfer-encoding|connection)$)[\w!#$%&'*+.^`|~-]+$/i,
      must('a header name other than Content-Length, Transfer-Encoding and Connection'),
    ),
  ),
  // Service workers send other characters in another encoding.
  v.pipe(string, v.trim(), v.regex(/^[\t\x20-\x7e]*$/, must('a header value in ASCII'))),
  must('an object with headers'),
)

const HEADERS = v.pipe(
  v.custom<object>(isJsonObject, must('an object with headers')),
  v.check(
    (headers) => explainNames(headers) === undefined,
    ({ input }) => explainNames(input) ?? '',
  ),
  HEADER_RECORD,
)

/** One stub. @internal */
export const STUB: Schema<ParsedStub> = v.pipe(
  object<ParsedStub>({
    method: v.optional(oneOf(METHODS), 'GET'),
    path: PATH,
    status: v.optional(whole(200, 599), 200),
    headers: v.optional(HEADERS, {}),
    body: v.optional(v.unknown()),
    needsKey: v.optional(boolean, true),
  }),
  v.check(
    ({ status, body }) => body === undefined || !isBodilessStatus(status),
    ({ input }) => `has a body, which a response with the status ${input.status} cannot have`,
  ),
)

/** The option `stubs`. @internal */
export const STUBS: Schema<readonly ParsedStub[]> = v.array(STUB, must('an array of stubs'))

/** Explains what is wrong with a set of header names. */
function explainNames(headers: object): string | undefined {
  const names = Object.keys(headers)
  // A record leaves these out silently.
  const unsafe = names.find((name) => ['__proto__', 'prototype', 'constructor'].includes(name))
  if (unsafe !== undefined) return `cannot have the header ${unsafe}`
  const same = Map.groupBy(names, (name) => name.toLowerCase())
  const several = [...same.values()].find(({ length }) => length > 1)
  return several && `has ${several.join(' and ')}, which are the same header`
}
