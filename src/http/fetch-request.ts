import { type Bytes, readBeginning } from './bytes.ts'
import { BODY_TOO_LARGE, type LoggedRequest, RequestAborted, RequestRecord, type WireRequest } from './wire-request.ts'

/** Wraps a fetch `Request`. */
export function toWireRequest(request: Request): WireRequest {
  return new FetchRequest(request)
}

class FetchRequest implements WireRequest {
  readonly method: string
  readonly path: string
  recorded: LoggedRequest | undefined
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

/** Does not cancel the stream: one of `Readable.toWeb` throws if its source still writes. */
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
