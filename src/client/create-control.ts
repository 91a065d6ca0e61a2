import type { paths } from '../contract/control.gen.ts'
import { isJsonObject, parseExactJson } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { UnwritableError, writeExactJson } from '../http/write-exact-json.ts'

/** Where the control API is, and how to ask it. */
export interface ControlOptions {
  readonly url: URL
  readonly sandbox: string
  readonly controlToken: string | undefined
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>
}

/** Asks the routes of the control API, by method and path as in `spec/control.openapi.yaml`. */
export interface Control {
  /** @throws {MockError} `CONTROL_UNREACHABLE`, `CONTROL_REFUSED` */
  ask<Path extends keyof paths, Method extends MethodOf<Path>>(
    method: Method,
    path: Path,
    parts?: AskParts,
  ): Promise<AnswerOf<paths[Path][Method]>>
  /** The same for what may not be there: `undefined` then. */
  find<Path extends keyof paths, Method extends MethodOf<Path>>(
    method: Method,
    path: Path,
    parts?: AskParts,
  ): Promise<AnswerOf<paths[Path][Method]> | undefined>
}

/** What a request says beside its route. */
export interface AskParts {
  /** The parameters of the path. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** The body, as JSON. */
  readonly body?: unknown
}

type MethodOf<Path extends keyof paths> = keyof paths[Path] & ('get' | 'put' | 'post' | 'delete')

/** The JSON of an answer; `null` where it has no content. */
type AnswerOf<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': infer Body } } }
}
  ? Body
  : Operation extends { responses: { 201: { content: { 'application/json': infer Body } } } }
    ? Body
    : null

export function createControl(options: ControlOptions): Control {
  return {
    ask: async (method, path, parts) => read(await send(method, path, { ...options, ...parts })),
    async find(method, path, parts) {
      const answer = await send(method, path, { ...options, ...parts })
      return isMissing(answer) ? undefined : read(answer)
    },
  }
}

interface ControlAnswer {
  readonly route: string
  readonly status: number
  readonly text: string
}

async function send(
  method: string,
  path: string,
  { url, sandbox, controlToken, fetch, params = {}, query = {}, body }: ControlOptions & AskParts,
): Promise<ControlAnswer> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const target = new URL(`/_mock${filled}?${new URLSearchParams({ sandbox, ...query })}`, url)
  const headers = {
    ...(controlToken !== undefined && { 'x-mock-control-token': controlToken }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const route = `${method.toUpperCase()} ${target.pathname}`
  const init = { method: method.toUpperCase(), headers, ...(body !== undefined && { body: toJson(body, route) }) }
  try {
    const response = await fetch(target, init)
    return { route, status: response.status, text: await response.text() }
  } catch (cause) {
    throw new MockError(
      'CONTROL_UNREACHABLE',
      `Failed to reach the mock at ${url.origin}: ${toReason(cause)}. Is it running there?`,
      { cause },
    )
  }
}

function read({ route, status, text }: ControlAnswer): never {
  if (status >= 300) {
    const message = readErrorObject(text)?.message ?? text.slice(0, 200)
    throw new MockError('CONTROL_REFUSED', `Failed to ${route}: the mock answered ${status}: ${message}`)
  }
  return (text === '' ? null : parseExactJson(text)) as never
}

/** What is not there, and not the control API itself: that is off, or the server is no mock. */
function isMissing({ status, text }: ControlAnswer): boolean {
  return status === 404 && /^There is no (pet|fault|sandbox) /.test(readErrorObject(text)?.message ?? '')
}

function readErrorObject(text: string): { readonly message: string } | undefined {
  try {
    const error: unknown = JSON.parse(text)
    const { message } = isJsonObject(error) ? error : {}
    return typeof message === 'string' ? { message } : undefined
  } catch {
    return undefined
  }
}

/** @throws {MockError} `INVALID_OPTION` naming what JSON cannot say: the mock would be sent something else. */
export function toJson(body: unknown, route: string): string {
  try {
    return writeExactJson(body, { place: 'the value' })
  } catch (cause) {
    if (!(cause instanceof UnwritableError)) throw cause
    throw new MockError('INVALID_OPTION', `Failed to ${route}: ${cause.message}.`, { cause })
  }
}

/** fetch itself only says that it failed; what failed is its cause. */
function toReason(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}
