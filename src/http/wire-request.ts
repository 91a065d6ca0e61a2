import { type Bytes, readBeginning } from './bytes.ts'

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
  recorded?: RecordedRequest | undefined
}

/** What answered a request instead of the operations. */
export type AnswererName = 'handler' | 'stub' | 'proxy'

/** What the mock has recorded of a request, besides the response. */
export interface RecordedRequest {
  readonly sandbox: string
  /** The fault that was injected. */
  readonly fault?: { readonly id: number; readonly status?: number; readonly error?: string } | undefined
  readonly by?: AnswererName | undefined
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

/** Wraps a fetch `Request`. */
export function toWireRequest(request: Request): WireRequest {
  return new FetchRequest(request)
}

class FetchRequest implements WireRequest {
  readonly method: string
  readonly path: string
  recorded: RecordedRequest | undefined
  readonly #request: Request
  readonly #target: string

  constructor(request: Request) {
    const [, target = '/', path = '/'] = AFTER_ORIGIN.exec(request.url) ?? []
    this.method = request.method
    this.path = path
    this.#request = request
    this.#target = target
  }

  get url(): URL {
    return new URL(this.#request.url)
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined
  }

  toRecord(): RequestRecord {
    let lines = ''
    this.#request.headers.forEach((value, name) => {
      lines += `${name}\n${value}\n`
    })
    return new RequestRecord(this.method, { path: this.#target, lines })
  }

  signal(): AbortSignal {
    return this.#request.signal
  }

  async readBody(limit: number): Promise<Bytes | typeof BODY_TOO_LARGE> {
    const { headers, signal, body } = this.#request
    if (Number(headers.get('content-length')) > limit) return BODY_TOO_LARGE
    try {
      // Firefox has no `Request.body` yet: https://bugzilla.mozilla.org/show_bug.cgi?id=1387483
      const stream = body === undefined ? new Response(await this.#request.arrayBuffer()).body : body
      const { bytes, isCut } = await Promise.race([readBeginning(stream, { limit }), rejectOnAbort(signal)])
      return isCut ? BODY_TOO_LARGE : bytes
    } catch (cause) {
      // A failing stream or a bug in the mock would otherwise go unnoticed.
      if (!isAbort(cause, signal)) console.error('petstore-mock: Failed to read the body of a request:', cause)
      throw new RequestAborted('Failed to read the request body: the stream ended early.', { cause })
    }
  }

  toRequest(body: Bytes): Request {
    const signal = this.signal()
    if (this.method === 'GET' || this.method === 'HEAD') return new Request(this.#request, { signal })
    return new Request(this.#request, { signal, body })
  }
}

/** The stream itself is not cancelled: one of Node that is, throws when its source goes on (`Readable.toWeb`). */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** The path, with and without its query, of a URL as serialized by `Request`. Cheaper than parsing it with `URL`. */
const AFTER_ORIGIN = /^[^:]+:\/\/[^/]*(([^?#]*)[^#]*)/

/** When a `node:http` client disconnects, the interceptor only reports an error; its signal does not abort. */
function isAbort(error: unknown, { aborted }: AbortSignal): boolean {
  return aborted || error instanceof RequestAborted || (error instanceof Error && error.name === 'AbortError')
}

/**
 * A value or a promise of one. Awaiting a value that is already there costs a microtask and several allocations, which
 * measurably slows the server, so synchronous results stay synchronous.
 */
export type Awaitable<T> = T | Promise<T>

export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown } | undefined)?.then === 'function'
}

/** Calls `use` with the value: synchronously if it is not a promise. */
export function whenReady<T, R>(value: Awaitable<T>, use: (value: T) => Awaitable<R>): Awaitable<R> {
  return isPromise(value) ? value.then(use) : use(value)
}
