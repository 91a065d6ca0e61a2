import { type Bytes, joinBytes } from './bytes.ts'
import type { WireResponse } from './wire-response.ts'

/** How a connection can fail. */
export const CONNECTION_FAULTS = ['network', 'timeout', 'reset', 'truncated'] as const

/**
 * - `network`: the connection closes without an answer,
 * - `timeout`: no answer comes, for as long as the client waits,
 * - `reset`: the connection is reset,
 * - `truncated`: the answer breaks off in the middle of its body.
 *
 * The first three never reach the service, and change nothing; a truncated answer is that of a request which was
 * carried out. Where there is no connection a client sees what it would have seen: fetch rejects, or a body does.
 */
export type ConnectionFaultKind = (typeof CONNECTION_FAULTS)[number]

/** An answer that does not come through. */
export type ConnectionFault =
  /** `answer` is what would have been sent whole. */
  | { readonly breakage: 'truncated'; readonly answer: WireResponse }
  /** `released` aborts when a client that waits for ever is to be let go. */
  | { readonly breakage: Exclude<ConnectionFaultKind, 'truncated'>; readonly released: AbortSignal }

/** All that a call can come to. A `Response` is from a handler of the user's own. */
export type Outcome = WireResponse | ConnectionFault | Response

export function isBroken(reply: Outcome): reply is ConnectionFault {
  return 'breakage' in reply
}

/**
 * Whether a reply is an answer of the double's own. To ask whether it is a `Response` would make Node load fetch, which
 * takes a fifth of the time that the server needs to start.
 */
export function isAnswer(reply: Outcome): reply is WireResponse {
  return 'body' in reply && Array.isArray(reply.body)
}

/** As much of the body as a truncated answer sends. */
export function toBeginning({ body }: WireResponse): Bytes {
  const whole = joinBytes(body)
  return whole.subarray(0, Math.floor(whole.byteLength / 2))
}
