import type { ByteBudget } from './byte-budget.ts'
import { ByteCollector, type Bytes } from './bytes.ts'

/** What the service needs to know of one request. A runtime brings it in the form it has it. */
export interface WireRequest {
  /** In upper case. */
  readonly method: string
  /** The path of the URL: still percent-encoded, without dot segments. */
  readonly path: string
  readonly url: URL
  /** The value of a header, its lines joined by a comma; `name` in lower case. */
  header(name: string): string | undefined
  /** What may be kept of the call when it is over. */
  toRecord(): RequestRecord
  /** Aborts when the client goes away. */
  signal(): AbortSignal
  /**
   * Reads the body, at most `limit` bytes of it: a larger one is left where it is and answered with `BODY_TOO_LARGE`.
   * A body that has already come in is there at once.
   * @param budget What the body takes of as it comes. One that gets no more is too large too.
   * @throws {RequestAborted} when the client goes away before the end.
   */
  readBody(limit: number, budget?: BodyBudget): Awaitable<Bytes | typeof BODY_TOO_LARGE>
  /**
   * The call as fetch's `Request`, for handlers of the user's own; `undefined` for a method that fetch does not allow. The
   * body can be read from one of the two only; one that was read is given back as `body`.
   */
  toRequest(body?: Bytes): Request | undefined
}

/** What all bodies that are being read may take together. */
export type BodyBudget = Pick<ByteBudget, 'take'>

/**
 * What is kept of a call. It holds on to nothing else of the request. The header lines are one text, taken apart when
 * somebody asks: most notes are never read, and what the collector of garbage takes goes by the number of objects.
 */
export class RequestRecord {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly #lines: string

  /** @param lines Names and values in turn, each on a line. */
  constructor(method: string, { path, lines }: { path: string; lines: string }) {
    this.method = method
    this.path = path
    this.#lines = lines
  }

  /** In bytes: a character of a path or a header is a byte. */
  get size(): number {
    return this.path.length + this.#lines.length
  }

  /** Names in lower case. */
  headers(): Iterable<readonly [name: string, value: string]> {
    const headers = new Headers()
    const parts = this.#lines.split('\n')
    for (let index = 0; index + 1 < parts.length; index += 2) headers.append(parts[index] ?? '', parts[index + 1] ?? '')
    return headers
  }
}

export const BODY_TOO_LARGE: unique symbol = Symbol('body too large')

/** The client went away before its request was whole. There is nobody to answer; the state is untouched. */
export class RequestAborted extends Error {
  override readonly name = 'CallAborted'
}

/** A call out of fetch's `Request`. */
export function toWireRequest(request: Request): WireRequest {
  return new FetchRequest(request)
}

class FetchRequest implements WireRequest {
  readonly method: string
  readonly path: string
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

  readBody(limit: number, budget?: BodyBudget): Promise<Bytes | typeof BODY_TOO_LARGE> {
    return readBody(this.#request, { limit, budget })
  }

  toRequest(body?: Bytes): Request {
    if (body === undefined) return this.#request
    const { method, url, headers, signal } = this.#request
    return new Request(url, { method, headers, signal, body })
  }
}

/** The path, with and without its query, of a URL as `Request` writes it: to make a URL of it would cost more. */
const AFTER_ORIGIN = /^[^:]+:\/\/[^/]*(([^?#]*)[^#]*)/

async function readBody(
  request: Request,
  { limit, budget }: { limit: number; budget: BodyBudget | undefined },
): Promise<Bytes | typeof BODY_TOO_LARGE> {
  if (Number(request.headers.get('content-length')) > limit) return BODY_TOO_LARGE
  try {
    // Firefox has no `Request.body` yet: https://bugzilla.mozilla.org/show_bug.cgi?id=1387483
    if (request.body) return await collectBody(request.body, limit, budget)
    const body = new Uint8Array(await request.arrayBuffer())
    return body.byteLength > limit || budget?.take(body.byteLength) === false ? BODY_TOO_LARGE : body
  } catch (cause) {
    // A source that fails, or a fault of ours, would otherwise leave no trace.
    if (!isAbort(cause, request.signal)) console.error('petstore-mock: Failed to read the body of a request:', cause)
    throw new RequestAborted('Failed to read the request body: its source broke off.', { cause })
  }
}

/** Of a `node:http` client that goes away, the interceptor tells by the error alone. */
function isAbort(error: unknown, { aborted }: AbortSignal): boolean {
  return aborted || (error instanceof Error && error.name === 'AbortError')
}

/**
 * Puts a body's chunks together; stops reading, and so closes the source, once there are more than `limit` bytes.
 * It takes a reader, since in WebKit a stream cannot be iterated: https://bugs.webkit.org/show_bug.cgi?id=194379
 */
export async function collectBody(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
  budget?: BodyBudget,
): Promise<Bytes | typeof BODY_TOO_LARGE> {
  const collected = new ByteCollector()
  if (stream === null) return collected.join()
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const { byteLength } = next.value
    if (collected.length + byteLength > limit || budget?.take(byteLength) === false) {
      reader.cancel().catch(() => {})
      return BODY_TOO_LARGE
    }
    collected.add(next.value)
  }
  return collected.join()
}

/**
 * A value that is there, or one that is on its way. To await a value that is there costs a turn of the event loop's
 * queue and several objects, which the server feels, so what can be said at once is not made a promise.
 */
export type Awaitable<T> = T | Promise<T>

export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown } | undefined)?.then === 'function'
}

/** Goes on with the value: at once where it is there. */
export function whenReady<T, R>(value: Awaitable<T>, use: (value: T) => Awaitable<R>): Awaitable<R> {
  return isPromise(value) ? value.then(use) : use(value)
}
