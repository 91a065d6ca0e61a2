import { isJsonObject, parseExactJson } from '../../http/exact-json.ts'
import { cut } from '../../http/quote.ts'
import { BODY_TOO_LARGE, type WireRequest } from '../../http/wire-request.ts'
import { ControlError } from './control-error.ts'

/** In bytes: room for a fixture of a million pets. */
const LARGEST_BODY = 128 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws {ControlError} where the body is too large or no JSON. */
export async function readJson(call: WireRequest): Promise<unknown> {
  return (await readJsonText(call)).value
}

/** The same, beside the text it came as. */
export async function readJsonText(call: WireRequest): Promise<{ readonly text: string; readonly value: unknown }> {
  const body = await call.readBody(LARGEST_BODY)
  if (body === BODY_TOO_LARGE)
    throw new ControlError('invalid_request', `The body must be at most ${LARGEST_BODY} bytes`)
  try {
    const text = utf8.decode(body)
    return { text, value: parseExactJson(text) }
  } catch (cause) {
    throw new ControlError('invalid_request', `The body must be JSON: ${(cause as Error).message}`, { cause })
  }
}

/** @throws {ControlError} where the body is no object, or holds a property that is not known. */
export async function readJsonObject(
  call: WireRequest,
  known: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const body = await readJson(call)
  if (!isJsonObject(body)) {
    throw new ControlError('invalid_request', `The body must be a JSON object with ${known.join(', ')}`)
  }
  const unknown = Object.keys(body).filter((name) => !known.includes(name))
  if (unknown.length === 0) return body
  throw new ControlError('invalid_request', `${cut(unknown.join(', '))}: not known here. Known are ${known.join(', ')}`)
}
