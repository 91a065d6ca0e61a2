// What is sent: shared by faults and stubs.

import * as v from 'valibot'
import { isJsonObject, writeExactJson } from '../http/exact-json.ts'
import { must, type Schema, string } from '../http/schema.ts'
import { createResponse, type HeaderFields, isBodilessStatus, type WireResponse } from '../http/wire-response.ts'

/** What a fault or a stub sends. */
interface RuleResponse {
  readonly status: number
  /** By their names in lower case. They replace the mock's own. */
  readonly headers?: HeaderFields
  /** `undefined` for an empty body. */
  readonly text?: string | undefined
}

/** Creates the response of a fault or a stub. */
export function createRuleResponse({ status, headers, text }: RuleResponse): WireResponse {
  const response = createResponse(status, text ?? '', text === undefined ? {} : { 'content-type': 'application/json' })
  return { ...response, headers: { ...response.headers, ...headers } }
}

/** Headers to send, by their names in lower case. @internal */
export const HEADERS: Schema<HeaderFields> = v.pipe(
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
export function explainBody({ status, body }: { status?: number; body?: unknown }): string | undefined {
  if (body === undefined || status === undefined || !isBodilessStatus(status)) return undefined
  return `has a body, which a response with the status ${status} cannot have`
}

const JSON_TYPE = /^application\/(?:.+\+)?json\b/i

/** Whether a body is a string to send as it is. Every other body is sent as JSON. */
export function isText(body: unknown, headers: HeaderFields = {}): body is string {
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
  { headers, path }: { readonly headers?: HeaderFields | undefined; readonly path: string },
): string {
  return isText(body, headers) ? body : writeExactJson(body, path)
}
