import { type Bytes, joinBytes } from './bytes.ts'
import { toEndToEndHeaders } from './fetched-response.ts'
import type { WireResponse } from './wire-response.ts'

/** How a connection can fail. */
export const CONNECTION_FAULTS = ['network', 'timeout', 'reset', 'truncated'] as const

/**
 * - `network`: the connection is closed without a response,
 * - `timeout`: no response is sent for as long as the client waits,
 * - `reset`: the connection is reset,
 * - `truncated`: the response ends in the middle of its body.
 *
 * With the first three, the request never reaches the service and changes nothing. With `truncated` the update is
 * applied; only its response is cut. In a runtime without connections, `fetch` or reading the body rejects as well.
 */
export type ConnectionFaultKind = (typeof CONNECTION_FAULTS)[number]

/** The result of a request. Each runtime switches over `type` and, for a connection fault, over `kind`. */
export type Outcome = WireResponse | FetchOutcome | ConnectionFault

/** A fetch `Response`: from a user's handler, or an event stream. */
export interface FetchOutcome {
  readonly type: 'fetch-response'
  readonly response: Response
}

/** A response that does not reach the client, or not completely. */
export type ConnectionFault = { readonly type: 'connection-fault' } & (
  | {
      readonly kind: 'truncated'
      /** The whole response. */
      readonly response: WireResponse
      /** The `Set-Cookie` headers, of which `response` has only the last: they cannot be joined (RFC 9110, section 5.3). */
      readonly cookies?: readonly string[]
    }
  | {
      readonly kind: 'timeout'
      /** Aborts when the client should stop waiting, for example after a reset. */
      readonly released: AbortSignal
    }
  | { readonly kind: 'network' | 'reset' }
)

export function toFetchOutcome(response: Response): FetchOutcome {
  return { type: 'fetch-response', response }
}

/** The outcome of a user's handler. `Response.error()` resets the connection. Only a response from `fetch` has a URL. */
export function toHandlerOutcome(response: Response): FetchOutcome | ConnectionFault {
  if (response.type === 'error') return { type: 'connection-fault', kind: 'reset' }
  if (response.url === '') return toFetchOutcome(response)
  const { status, statusText } = response
  return toFetchOutcome(new Response(response.body, { status, statusText, headers: toEndToEndHeaders(response) }))
}

/** Reads the body to its end. */
export async function toWireResponse({ response }: FetchOutcome): Promise<WireResponse> {
  const body = [new Uint8Array(await response.arrayBuffer())]
  return { type: 'response', status: response.status, headers: Object.fromEntries(response.headers), body }
}

/** Adds headers to a response, also to that of a connection fault that has one, such as a truncated response. */
export function withHeaders(outcome: Outcome, headers: Readonly<Record<string, string>>): Outcome {
  switch (outcome.type) {
    case 'response':
      return { ...outcome, headers: { ...outcome.headers, ...headers } }
    case 'fetch-response': {
      const response = new Response(outcome.response.body, outcome.response)
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
      return toFetchOutcome(response)
    }
    case 'connection-fault': {
      if (!('response' in outcome)) return outcome
      const { response } = outcome
      return { ...outcome, response: { ...response, headers: { ...response.headers, ...headers } } }
    }
    default:
      return assertNever(outcome)
  }
}

/** The first half of the body, which is all that a truncated response sends. */
export function toBeginning({ body }: WireResponse): Bytes {
  const whole = joinBytes(body)
  return whole.subarray(0, Math.floor(whole.byteLength / 2))
}

/** Use it as the default case of a switch: a forgotten case is then a compile error. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value: ${JSON.stringify(value)}`)
}
