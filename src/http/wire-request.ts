import type { Awaitable } from './awaitable.ts'
import type { Bytes } from './bytes.ts'

/** A request as the service reads it. Each runtime implements it on top of its own request object. */
export interface WireRequest {
  /** In upper case. */
  readonly method: string
  /** The path of the URL, percent-encoded, without dot segments. */
  readonly path: string
  readonly url: URL
  /** The value of a header; repeated headers are joined by a comma. `name` is in lower case. */
  header(name: string): string | undefined
  /** The parts that the journal keeps after the request has ended. */
  toRecord(): RequestRecord
  /** Whether a page may have sent it, other than from loopback or one of the origins. Only a server can be sent one. */
  isForeign?(origins: readonly string[]): boolean
  /** Aborts when the client disconnects. */
  signal(): AbortSignal
  /**
   * Reads the body, once. Gives `BODY_TOO_LARGE`, and stops reading, when it is larger than `limit` bytes. Returns the bytes
   * without a promise when they have all arrived.
   * @throws {RequestAborted} when the client disconnects before the end of the body.
   */
  readBody(limit: number): Awaitable<Bytes | typeof BODY_TOO_LARGE>
  /** The fetch `Request` for a user's handlers, with this body; `undefined` for a method that fetch forbids. */
  toRequest(body: Bytes): Request | undefined
  /** What the journal has of the request, besides the response. Set before the response is sent, for a runtime's log. */
  recorded?: LoggedRequest | undefined
}

/** What answered a request instead of the operations. */
export type AnswererName = 'handler' | 'stub' | 'proxy'

/** What is wrong with the form of a rejected key. */
export type KeyProblem = 'missing' | 'scheme' | 'sandbox'

/** What a runtime's log shows of a request, besides the response. */
export interface LoggedRequest {
  readonly sandbox: string
  /** The fault that was injected. */
  readonly fault?: { readonly id: number; readonly status?: number; readonly error?: string } | undefined
  readonly by?: AnswererName | undefined
  readonly keyProblem?: KeyProblem | undefined
}

/**
 * The parts of a request that the journal keeps. It does not keep the request alive. All headers are one string, parsed
 * on demand: most records are never read, and the cost of garbage collection depends on the number of objects.
 */
export class RequestRecord {
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly #lines: string

  /** @param lines The headers: names and values alternate, one per line. */
  constructor(method: string, { path, lines }: { path: string; lines: string }) {
    this.method = method
    this.path = path
    this.#lines = lines
  }

  /** Names are in lower case. */
  headers(): Iterable<readonly [name: string, value: string]> {
    const headers = new Headers()
    const parts = this.#lines.split('\n')
    for (let index = 0; index + 1 < parts.length; index += 2) headers.append(parts[index] ?? '', parts[index + 1] ?? '')
    return headers
  }
}

export const BODY_TOO_LARGE: unique symbol = Symbol('body too large')

/** The client disconnected before its request was complete. No response is sent, and the state is unchanged. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted'
}
