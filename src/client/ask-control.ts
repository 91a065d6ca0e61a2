import type { MissingOf, ResponseOf, RouteName } from '../control/contract.ts'
import { isJsonObject, parseExactJson, UnwritableError, writeExactJson } from '../http/exact-json.ts'
import { toFetchReason } from '../http/hide-credentials.ts'
import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'
import { type RouteParts, toControlRequest } from './control-request.ts'

/** For runtimes that forward requests. Registered, so that it also works with another copy of this package. */
export const TRANSPORT: unique symbol = Symbol.for('petstore-mock.transport') as never

/** The address of the control API, and how to send requests to it. */
export interface ControlOptions {
  readonly url: URL
  readonly sandbox: string
  readonly controlToken?: string | undefined
  /** The key of the sandbox, which the mock is asked to check. */
  readonly apiKey: string
  readonly fetch?: ((url: URL, init: RequestInit) => Promise<Response>) | undefined
}

/**
 * Sends a request to the control API and returns the JSON of the response. Routes are named by their method and path, as in
 * `spec/control.openapi.yaml`.
 * @returns `null` if the pet, fault or sandbox in the path does not exist.
 * @throws {MockError} `CONTROL_UNREACHABLE`, `CONTROL_REFUSED`
 */
export type Ask = <Route extends RouteName>(
  route: Route,
  parts?: RouteParts<Route>,
) => Promise<ResponseOf<Route> | MissingOf<Route>>

export function createAsk({ url, sandbox, controlToken, ...options }: ControlOptions): Ask {
  /** Sent until a request succeeds, which shows that the mock knows it. */
  let apiKey: string | undefined = options.apiKey

  async function send<Route extends RouteName>(route: Route, { body, ...parts }: RouteParts<Route>): Promise<Answer> {
    const json = body === undefined ? undefined : toJson(body, route.replace(' ', ' /_mock'))
    const target = { root: new URL('/', url), sandbox, controlToken }
    const { url: address, init } = toControlRequest(route, { ...target, ...parts, json })
    const headers = { ...init.headers, ...(apiKey !== undefined && { 'x-mock-api-key': apiKey }) }
    const request = `${init.method} ${address.pathname}`
    try {
      const response = await (options.fetch ?? globalThis.fetch)(address, { ...init, headers })
      return { request, status: response.status, text: await response.text() }
    } catch (cause) {
      throw toUnreachable(`${toFetchReason(cause)}. Is it running there?`, cause)
    }
  }

  /** The JSON of a response; `undefined` for a 204, and `null` if the resource does not exist. */
  function read({ request, status, text }: Answer): unknown {
    const json = parseJson(text)
    // Any other 404 means that the control API is off or that the server is not a mock.
    if (status === 404 && isJsonObject(json) && /^unknown_(?:pet|fault|sandbox)$/.test(String(json['code'])))
      return null
    if (status >= 300) {
      const { message = text.slice(0, 200) } = isJsonObject(json) ? json : {}
      throw new MockError('CONTROL_REFUSED', `Failed to ${request}: the mock answered ${status}: ${String(message)}`)
    }
    if (status !== 204 && (typeof json !== 'object' || json === null)) {
      const shown = `${status} ${showValue(text, 80)}. Is another server at this address?`
      throw toUnreachable(`the response to ${request} does not come from a mock: ${shown}`)
    }
    apiKey = undefined
    return json
  }

  function toUnreachable(reason: string, cause?: unknown): MockError {
    return new MockError('CONTROL_UNREACHABLE', `Failed to reach the mock at ${url.origin}: ${reason}`, { cause })
  }

  return async (route, parts = {}) => read(await send(route, parts)) as never
}

interface Answer {
  /** The method and path of the request. */
  readonly request: string
  readonly status: number
  readonly text: string
}

export function parseJson(text: string): unknown {
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
function toJson(body: unknown, request: string): string {
  try {
    return writeExactJson(body)
  } catch (cause) {
    if (!(cause instanceof UnwritableError)) throw cause
    throw new MockError('INVALID_OPTION', `Failed to ${request}: ${cause.message}.`, { cause })
  }
}
