import { type Bytes, joinBytes } from './bytes.ts'
import type { WireResponse } from './wire-response.ts'

/** How a connection can fail. */
export const CONNECTION_FAULTS = ['network', 'timeout', 'reset', 'truncated'] as const

/**
 * - `network`: the connection is closed without a response,
 * - `timeout`: no response comes, for as long as the client waits,
 * - `reset`: the connection is reset,
 * - `truncated`: the response breaks off in the middle of its body.
 *
 * The first three never reach the service and change nothing. With `truncated` the update is applied; only its response
 * is cut. Without a connection the client sees what it would have seen: `fetch` rejects, or reading the body does.
 */
export type ConnectionFaultKind = (typeof CONNECTION_FAULTS)[number]

/** Everything that a request can end in. Each runtime switches over `type` and, of a connection fault, over `kind`. */
export type Outcome = WireResponse | FetchOutcome | ConnectionFault

/** A response that is made of fetch's classes: of a handler of the user's own, or a stream of events. */
export interface FetchOutcome {
  readonly type: 'fetch-response'
  readonly response: Response
}

/** A response that does not come through. */
export type ConnectionFault = { readonly type: 'connection-fault' } & (
  | {
      readonly kind: 'truncated'
      /** The whole response. */
      readonly response: WireResponse
    }
  | {
      readonly kind: 'timeout'
      /** Aborts when the client that waits is to be released. */
      readonly released: AbortSignal
    }
  | { readonly kind: 'network' | 'reset' }
)

export function toFetchOutcome(response: Response): FetchOutcome {
  return { type: 'fetch-response', response }
}

/** What a handler of the user's own gave: `Response.error()` is a connection that is reset. */
export function toHandlerOutcome(response: Response): FetchOutcome | ConnectionFault {
  return response.type === 'error' ? { type: 'connection-fault', kind: 'reset' } : toFetchOutcome(response)
}

/** The whole of it, once its body has come. */
export async function toWireResponse({ response }: FetchOutcome): Promise<WireResponse> {
  const body = [new Uint8Array(await response.arrayBuffer())]
  return { type: 'response', status: response.status, headers: Object.fromEntries(response.headers), body }
}

/** The outcome with more headers, as far as it has any. */
export function withHeaders(outcome: Outcome, headers: Readonly<Record<string, string>>): Outcome {
  switch (outcome.type) {
    case 'response':
      return { ...outcome, headers: { ...outcome.headers, ...headers } }
    case 'fetch-response': {
      const response = new Response(outcome.response.body, outcome.response)
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
      return toFetchOutcome(response)
    }
    case 'connection-fault':
      return outcome
    default:
      return assertNever(outcome)
  }
}

/** As much of the body as a truncated response sends. */
export function toBeginning({ body }: WireResponse): Bytes {
  const whole = joinBytes(body)
  return whole.subarray(0, Math.floor(whole.byteLength / 2))
}

/** For the end of a switch: a kind that a runtime forgets does not compile. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value: ${JSON.stringify(value)}`)
}
