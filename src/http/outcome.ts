import { type Bytes, joinBytes } from './bytes.ts'
import type { Answer } from './wire-response.ts'

/** How a connection can fail. */
export const BREAKAGES = ['network', 'timeout', 'reset', 'truncated'] as const

/**
 * - `network`: the connection closes without an answer,
 * - `timeout`: no answer comes, for as long as the client waits,
 * - `reset`: the connection is reset,
 * - `truncated`: the answer breaks off in the middle of its body.
 *
 * The first three never reach the service, and change nothing; a truncated answer is that of a request which was
 * carried out. Where there is no connection a client sees what it would have seen: fetch rejects, or a body does.
 */
export type Breakage = (typeof BREAKAGES)[number]

/** An answer that does not come through. */
export type BrokenAnswer =
  /** `answer` is what would have been sent whole. */
  | { readonly breakage: 'truncated'; readonly answer: Answer }
  /** `released` aborts when a client that waits for ever is to be let go. */
  | { readonly breakage: Exclude<Breakage, 'truncated'>; readonly released: AbortSignal }

/** All that a call can come to. A `Response` is from a handler of the user's own. */
export type Reply = Answer | BrokenAnswer | Response

export function isBroken(reply: Reply): reply is BrokenAnswer {
  return 'breakage' in reply
}

/**
 * Whether a reply is an answer of the double's own. To ask whether it is a `Response` would make Node load fetch, which
 * takes a fifth of the time that the server needs to start.
 */
export function isAnswer(reply: Reply): reply is Answer {
  return 'body' in reply && Array.isArray(reply.body)
}

/** As much of the body as a truncated answer sends. */
export function toBeginning({ body }: Answer): Bytes {
  const whole = joinBytes(body)
  return whole.subarray(0, Math.floor(whole.byteLength / 2))
}
