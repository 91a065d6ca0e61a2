import { parseExactJson } from '../../http/exact-json.ts'
import { parseOr, type Schema } from '../../http/schema.ts'
import { BODY_TOO_LARGE } from '../../http/wire-request.ts'
import { ControlError } from './control-error.ts'
import type { ControlContext } from './define-control-route.ts'
import { refuseSandbox } from './refuse-body.ts'

/** The limit for a fixture in bytes: enough for a million pets. */
export const LARGEST_STATE: number = 128 * 1024 ** 2
/** The limit for all other bodies, in bytes. */
const LARGEST_BODY: number = 1024 ** 2
/** Limits commas and opening brackets: in `{},{},{}` a value takes thirty times the memory of its text. */
export const MOST_VALUES = 5_000_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A control request with a body. */
export type Upload = Pick<ControlContext, 'request' | 'route' | 'uploads'>

/** @throws {ControlError} when the body is too large or not JSON. */
export async function readJson(upload: Upload, limit: number = LARGEST_BODY): Promise<unknown> {
  return (await readJsonText(upload, limit)).value
}

/** Like `readJson`, but also returns the source text. */
export async function readJsonText(
  { request, route, uploads }: Upload,
  limit: number = LARGEST_BODY,
): Promise<{ readonly text: string; readonly value: unknown }> {
  let taken = 0
  let isRefused = false
  const take = (bytes: number): boolean => {
    isRefused = !uploads.take(bytes)
    if (!isRefused) taken += bytes
    return !isRefused
  }
  try {
    const body = await request.readBody(limit, { take })
    if (isRefused) throw toBusyError(uploads.limit)
    if (body === BODY_TOO_LARGE) throw new ControlError('invalid_request', `The body must be at most ${limit} bytes`)
    const parsed = parse(body)
    refuseSandbox(parsed.value, route)
    return parsed
  } finally {
    uploads.give(taken)
  }
}

function toBusyError(limit: number): ControlError {
  return new ControlError(
    'too_many_requests',
    `The mock is reading too many other request bodies: they may hold ${limit} bytes together. Try again later`,
  )
}

function parse(body: Uint8Array): { readonly text: string; readonly value: unknown } {
  if (hasTooManyValues(body))
    throw new ControlError('invalid_request', `The body must hold at most ${MOST_VALUES} values`)
  try {
    const text = utf8.decode(body)
    return { text, value: parseExactJson(text) }
  } catch (cause) {
    throw new ControlError('invalid_request', `The body must be JSON: ${(cause as Error).message}`, { cause })
  }
}

const [COMMA, OPEN_LIST, OPEN_OBJECT] = [0x2c, 0x5b, 0x7b]

function hasTooManyValues(body: Uint8Array): boolean {
  if (body.byteLength <= MOST_VALUES) return false
  let count = 0
  for (let index = 0; index < body.length && count <= MOST_VALUES; index += 1) {
    const byte = body[index]
    if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) count += 1
  }
  return count > MOST_VALUES
}

/** @throws {ControlError} with the first problem of the body. @internal */
export async function readBody<Output>(
  upload: Upload,
  { schema, limit = LARGEST_BODY }: { readonly schema: Schema<Output>; readonly limit?: number },
): Promise<Output> {
  return parseRequest(schema, await readJson(upload, limit), 'The body')
}

/** @throws {ControlError} with the first problem. @internal */
export function parseRequest<Output>(schema: Schema<Output>, value: unknown, subject: string): Output {
  return parseOr(schema, value, {
    subject,
    // The messages of control routes end without a period.
    refuse: (sentence) => new ControlError('invalid_request', sentence.replace(/\.$/, '')),
  })
}
