import * as v from 'valibot'
import { isJsonObject, parseExactJson } from '../http/exact-json.ts'
import { parseOr, type Schema } from '../http/schema.ts'
import { BODY_TOO_LARGE, type WireRequest } from '../http/wire-request.ts'
import { ControlError } from './control-route.ts'

/** The limit for a fixture in bytes: enough for a million pets. */
export const LARGEST_STATE: number = 128 * 1024 ** 2
/** The limit for all other bodies, in bytes. */
const LARGEST_BODY: number = 1024 ** 2
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a body; `{}` if it is empty.
 * @param limit In bytes.
 * @throws {ControlError} when the body is too large or not JSON.
 */
export async function readJson(request: Pick<WireRequest, 'readBody'>, limit: number = LARGEST_BODY): Promise<unknown> {
  const body = await request.readBody(limit)
  if (body === BODY_TOO_LARGE) throw new ControlError('invalid_request', `The body must be at most ${limit} bytes`)
  // `curl -X POST` sends none.
  return body.byteLength === 0 ? {} : parse(body)
}

function parse(body: Uint8Array): unknown {
  try {
    return parseExactJson(utf8.decode(body))
  } catch (cause) {
    throw new ControlError('invalid_request', `The body must be JSON: ${(cause as Error).message}`, { cause })
  }
}

/** Of a route that takes no body, which would be ignored. */
export const NO_BODY: Schema<unknown> = v.custom(
  (body) => isJsonObject(body) && Object.keys(body).length === 0,
  'must be empty, as this route takes none',
)

/** @throws {ControlError} with the first problem. */
export function parseRequest<Output>(schema: Schema<Output>, value: unknown, subject: string): Output {
  return parseOr(schema, value, {
    subject,
    // The messages of control routes end without a period.
    refuse: (sentence) => new ControlError('invalid_request', sentence.replace(/\.$/, '')),
  })
}
