import { isSandboxName } from '../auth/authenticator.ts'
import type { ByteBudget } from '../http/bytes.ts'
import { isJsonObject, parseExactJson } from '../http/exact-json.ts'
import { CONTROL_PATH } from '../http/router.ts'
import { parseOr, type Schema } from '../http/schema.ts'
import { BODY_TOO_LARGE, type WireRequest } from '../http/wire-request.ts'
import { ControlError } from './control-route.ts'

/** The limit for a fixture in bytes: enough for a million pets. */
export const LARGEST_STATE: number = 128 * 1024 ** 2
/** The limit for all other bodies, in bytes. */
const LARGEST_BODY: number = 1024 ** 2
/** In bytes. Enough to find a `sandbox` in a body that is refused anyway. */
const LARGEST_REFUSED = 1024
/** Limits commas and opening brackets: in `{},{},{}` a value takes thirty times the memory of its text. */
export const MOST_VALUES = 5_000_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A control request with its body. */
export interface Upload {
  readonly request: WireRequest
  readonly route: { readonly method: string; readonly path: string; readonly takesSandbox: boolean }
  readonly uploads: ByteBudget
}

/** @throws {ControlError} when the body is too large or not JSON. */
export async function readJson(
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
    if (isRefused) {
      const limits = `they may hold ${uploads.limit} bytes together. Try again later`
      throw new ControlError('too_many_requests', `The mock is reading too many other request bodies: ${limits}`)
    }
    if (body === BODY_TOO_LARGE) throw new ControlError('invalid_request', `The body must be at most ${limit} bytes`)
    const parsed = parse(body)
    refuseSandbox(parsed.value, route)
    return parsed
  } finally {
    uploads.give(taken)
  }
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

/** @throws {ControlError} with the first problem. */
export function parseRequest<Output>(schema: Schema<Output>, value: unknown, subject: string): Output {
  return parseOr(schema, value, {
    subject,
    // The messages of control routes end without a period.
    refuse: (sentence) => new ControlError('invalid_request', sentence.replace(/\.$/, '')),
  })
}

/**
 * Accepts no body or an empty object. A sandbox named in an ignored body would silently be the default one.
 * @throws {ControlError} for any other body.
 */
export async function assertNoBody({ request, route }: Pick<Upload, 'request' | 'route'>): Promise<void> {
  const body = await request.readBody(LARGEST_REFUSED)
  const text = body === BODY_TOO_LARGE ? 'too large' : new TextDecoder().decode(body)
  if (/^\s*(\{\s*\}\s*)?$/.test(text)) return
  const sandbox = findSandbox(tryParse(text))
  const hint = sandbox !== undefined && route.takesSandbox ? `. ${explainQuery(sandbox)}` : ''
  throw new ControlError('invalid_request', `${toName(route)} takes no body${hint}`)
}

/** @throws {ControlError} when a body has the property `sandbox`, which no body of the control API has. */
function refuseSandbox(body: unknown, route: Upload['route']): void {
  const sandbox = findSandbox(body)
  if (sandbox === undefined) return
  const why = route.takesSandbox ? explainQuery(sandbox) : 'It concerns the whole mock'
  throw new ControlError('invalid_request', `sandbox is not known in the body of ${toName(route)}. ${why}`)
}

function findSandbox(body: unknown): unknown {
  return isJsonObject(body) && Object.hasOwn(body, 'sandbox') ? body['sandbox'] : undefined
}

function explainQuery(sandbox: unknown): string {
  return `The sandbox belongs in the query: ?sandbox=${isSandboxName(sandbox) ? sandbox : 'NAME'}`
}

function toName({ method, path }: Upload['route']): string {
  return `${method} ${CONTROL_PATH}${path}`
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
