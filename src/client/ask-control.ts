import type { ErrorObject, ResponseOf, RouteName } from '../control/contract.ts'
import { isJsonObject, parseExactJson, UnwritableError, type WriteOptions, writeExactJson } from '../http/exact-json.ts'
import { toFetchReason } from '../http/hide-credentials.ts'
import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'

/** The address of the control API, and how to send requests to it. */
export interface ControlOptions {
  readonly url: URL
  readonly sandbox: string
  readonly controlToken: string | undefined
  /** The key of the sandbox, which the mock is asked to check. */
  readonly apiKey: string
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>
}

/** Sends requests to the control API. Routes are named by their method and path, as in `spec/control.openapi.yaml`. */
export interface Control {
  /**
   * Sends a request and returns the JSON of the response.
   * @throws {MockError} `CONTROL_UNREACHABLE`, `CONTROL_REFUSED`
   */
  ask<Route extends RouteName>(route: Route, parts?: RequestParts): Promise<ResponseOf<Route>>
  /** Like `ask`, but returns `undefined` if the resource does not exist, and `true` if the response has no content. */
  find<Route extends RouteName>(
    route: Route,
    parts: RequestParts,
  ): Promise<(undefined extends ResponseOf<Route> ? true : ResponseOf<Route>) | undefined>
}

interface RequestParts {
  /** The parameters of the path. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export function createControl(options: ControlOptions): Control {
  /** Sent until a request succeeds: a test may revoke the key, and still use the controls. */
  let apiKey: string | undefined = options.apiKey

  function take(response: ControlResponse): never {
    const json = read(response)
    apiKey = undefined
    return json
  }

  return {
    ask: async (route, parts) => take(await send(route, { ...options, ...parts, apiKey })),
    async find(route, parts) {
      const response = await send(route, { ...options, ...parts, apiKey })
      return isMissing(response) ? undefined : ((take(response) ?? true) as never)
    },
  }
}

/** The routes that concern the whole mock and take no `sandbox`. */
const OF_MOCK: readonly RouteName[] = ['POST /state/save', 'GET /clock', 'POST /clock', 'DELETE /sandboxes/{name}']

/** A property of each JSON response, by which it is recognized as a mock's. Other responses have no content. */
const MARKS: { readonly [Route in RouteName]?: MarkOf<ResponseOf<Route>> } = {
  'GET /health': 'specificationVersion',
  'GET /state': 'inventory',
  'PUT /state': 'inventory',
  'POST /reset': 'inventory',
  'POST /load': 'inventory',
  'GET /pets': 'pets',
  'GET /pets/{petId}': 'petId',
  'PUT /pets/{petId}': 'petId',
  'GET /journal': 'entries',
  'GET /faults': 'length',
  'POST /faults': 'used',
  'PUT /delay': 'delay',
  'GET /clock': 'pending',
  'POST /clock': 'pending',
}

type MarkOf<Json> = Json extends readonly unknown[] ? 'length' : keyof Json

interface ControlResponse {
  readonly route: RouteName
  readonly origin: string
  /** The method and path of the request. */
  readonly request: string
  readonly status: number
  readonly text: string
}

type SendOptions = Omit<ControlOptions, 'apiKey'> & RequestParts & { readonly apiKey: string | undefined }

async function send(
  route: RouteName,
  { url, sandbox, controlToken, apiKey, fetch, params = {}, query = {}, body }: SendOptions,
): Promise<ControlResponse> {
  const [method = '', path = ''] = route.split(' ')
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const own = OF_MOCK.includes(route) ? {} : { sandbox }
  const target = new URL(`/_mock${filled}?${new URLSearchParams({ ...own, ...query })}`, url)
  const headers = {
    ...(controlToken !== undefined && { 'x-mock-control-token': controlToken }),
    ...(apiKey !== undefined && { 'x-mock-api-key': apiKey }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const request = `${method} ${target.pathname}`
  const init = { method, headers, ...(body !== undefined && { body: toJson(body, { route: request }) }) }
  try {
    const response = await fetch(target, init)
    return { route, origin: url.origin, request, status: response.status, text: await response.text() }
  } catch (cause) {
    throw new MockError(
      'CONTROL_UNREACHABLE',
      `Failed to reach the mock at ${url.origin}: ${explainTls(cause) ?? toFetchReason(cause)}. Is it running there?`,
      { cause },
    )
  }
}

function read({ route, origin, request, status, text }: ControlResponse): never {
  if (status >= 300) {
    const message = readErrorObject(text)['message']
    const shown = typeof message === 'string' ? message : text.slice(0, 200)
    throw new MockError('CONTROL_REFUSED', `Failed to ${request}: the mock answered ${status}: ${shown}`)
  }
  const mark = MARKS[route]
  const json = parseJson(text)
  if (mark === undefined ? text === '' : Object.hasOwn(Object(json), mark)) return json as never
  throw new MockError(
    'CONTROL_UNREACHABLE',
    `Failed to reach the mock at ${origin}: the response to ${request} does not come from a mock: ${status} ${showValue(text, 80)}. Is another server at this address?`,
  )
}

const MISSING: readonly unknown[] = ['unknown_pet', 'unknown_fault', 'unknown_sandbox'] satisfies ErrorObject['code'][]

/**
 * Whether the resource is missing. Any other 404 means that the control API is off or that the server is not a mock.
 */
function isMissing({ status, text }: ControlResponse): boolean {
  return status === 404 && MISSING.includes(readErrorObject(text)['code'])
}

function readErrorObject(text: string): Readonly<Record<string, unknown>> {
  const error = parseJson(text)
  return isJsonObject(error) ? error : {}
}

function parseJson(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}

/**
 * Serializes without changing the value.
 * @throws {MockError} `INVALID_OPTION` naming a value that JSON cannot represent.
 */
export function toJson(body: unknown, { route, ...options }: WriteOptions & { readonly route: string }): string {
  try {
    return writeExactJson(body, options)
  } catch (cause) {
    if (!(cause instanceof UnwritableError)) throw cause
    throw new MockError('INVALID_OPTION', `Failed to ${route}: ${cause.message}.`, { cause })
  }
}

/** Codes of certificates that Node does not trust. */
const UNTRUSTED = /SELF_SIGNED_CERT|^UNABLE_TO_(?:VERIFY|GET_ISSUER)/

/**
 * Why a TLS connection failed, and what to do, in place of OpenSSL's text.
 * @param error The error of `fetch`, with its reason in `cause`.
 * @returns `undefined` for any other reason.
 */
export function explainTls(error: unknown): string | undefined {
  const { code, message = '' } = ((error as Error).cause ?? {}) as { code?: unknown; message?: string }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || message.includes('wrong version number'))
    return 'the server speaks http, not https'
  if (typeof code !== 'string' || !UNTRUSTED.test(code)) return undefined
  const [reason] = message.split(';')
  return `${reason}. To trust the certificate, set NODE_EXTRA_CA_CERTS to its file (PEM) before you start Node`
}
