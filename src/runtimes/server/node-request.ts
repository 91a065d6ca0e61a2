import type { IncomingMessage } from 'node:http'
import { ByteCollector, type Bytes, NO_BYTES } from '../../http/bytes.ts'
import type { Awaitable } from '../../http/wire-request.ts'
import {
  BODY_TOO_LARGE,
  type BodyBudget,
  type RecordedRequest,
  RequestAborted,
  RequestRecord,
  type WireRequest,
} from '../../http/wire-request.ts'
import { askForBody, hasArrived, hasBody, type ServerExchange, toDisconnectSignal, waitForPoll } from './exchange.ts'
import { isForeign } from './guard-control.ts'

/** A target that URL parsing would not change. Most targets match, which saves creating a URL. */
const PLAIN = /^(?:\/[\w~-]+)+$/

/** https://fetch.spec.whatwg.org/#forbidden-method */
const FORBIDDEN_METHODS: readonly string[] = ['CONNECT', 'TRACE', 'TRACK']

/** Converts Node's request; `undefined` if its target is not a URL. */
export function toNodeRequest(exchange: ServerExchange, hosts: readonly string[]): WireRequest | undefined {
  const { request } = exchange
  const { url: target = '/' } = request
  if (PLAIN.test(target)) return new NodeRequest({ exchange, hosts, target, path: target })
  const url = toUrl(request)
  if (url === null) return undefined
  return new NodeRequest({ exchange, hosts, target: url.pathname + url.search, path: url.pathname, url })
}

interface NodeRequestParts {
  readonly exchange: ServerExchange
  /** The names of the server. */
  readonly hosts: readonly string[]
  /** The path with its query. */
  readonly target: string
  readonly path: string
  readonly url?: URL
}

class NodeRequest implements WireRequest {
  readonly method: string
  readonly path: string
  readonly #parts: NodeRequestParts
  readonly readArrived: () => Promise<void> = waitForPoll

  constructor(parts: NodeRequestParts) {
    this.method = parts.exchange.request.method ?? 'GET'
    this.path = parts.path
    this.#parts = parts
  }

  get url(): URL {
    const { exchange, url } = this.#parts
    return url ?? (toUrl(exchange.request) as URL)
  }

  isForeign(origins: readonly string[]): boolean {
    const { exchange, hosts } = this.#parts
    return isForeign(exchange.request, { hosts, origins })
  }

  header(name: string): string | undefined {
    return this.#parts.exchange.request.headers[name] as string | undefined
  }

  toRecord(): RequestRecord {
    const { exchange, target } = this.#parts
    return new RequestRecord(this.method, { path: target, lines: exchange.request.rawHeaders.join('\n') })
  }

  onRecorded(recorded: RecordedRequest): void {
    const { notes } = this.#parts.exchange
    if (notes !== undefined) notes.recorded = recorded
  }

  signal(): AbortSignal {
    return toDisconnectSignal(this.#parts.exchange)
  }

  readBody(limit: number, budget?: BodyBudget): Awaitable<Bytes | typeof BODY_TOO_LARGE> {
    return readBody(this.#parts.exchange, { limit, budget })
  }

  toRequest(body?: Bytes): Request | undefined {
    if (FORBIDDEN_METHODS.includes(this.method)) return undefined
    const { exchange } = this.#parts
    if (body === undefined) askForBody(exchange)
    return toRequest(exchange, { url: this.url, body })
  }
}

/** The origin comes from the Host header, or from a target in absolute form (RFC 9112, section 3.2). */
function toUrl({ url = '/', headers }: IncomingMessage): URL | null {
  // Backslashes are invalid in a target, but URL parsing would turn them into slashes.
  if (url.includes('\\')) return null
  if (!url.startsWith('/')) return withoutUserinfo(URL.parse(url))
  // Uses only the host of the header. Anything else in it would become part of the path.
  const { host = 'localhost' } = URL.parse(`http://${headers.host}`) ?? {}
  return URL.parse(`http://${host}${url}`)
}

/** `Request` rejects a URL with user and password, and its error message repeats them. */
function withoutUserinfo(url: URL | null): URL | null {
  if (url !== null) Object.assign(url, { username: '', password: '' })
  return url
}

interface ReadingRule {
  readonly limit: number
  readonly budget: BodyBudget | undefined
}

function readBody(exchange: ServerExchange, rule: ReadingRule): Awaitable<Bytes | typeof BODY_TOO_LARGE> {
  const { limit, budget } = rule
  const { request } = exchange
  if (!hasBody(request)) return NO_BYTES
  if (Number(request.headers['content-length']) > limit) return BODY_TOO_LARGE
  // Most bodies arrive together with their head.
  if (!hasArrived(request)) return receiveBody(exchange, rule)
  exchange.isBodyRead = true
  const body: Bytes = request.read() ?? NO_BYTES
  // Does not wait for the `end` event.
  request.resume()
  return body.byteLength > limit || budget?.take(body.byteLength) === false ? BODY_TOO_LARGE : body
}

function receiveBody(exchange: ServerExchange, { limit, budget }: ReadingRule): Promise<Bytes | typeof BODY_TOO_LARGE> {
  const { request } = exchange
  askForBody(exchange)
  return new Promise((resolve, reject) => {
    let body = new ByteCollector()
    let isTooLarge = false
    request.on('data', (chunk: Uint8Array) => {
      if (isTooLarge) return
      isTooLarge = body.length + chunk.byteLength > limit || budget?.take(chunk.byteLength) === false
      if (!isTooLarge) {
        body.add(chunk)
        return
      }
      // The body is no longer needed, and the rest may take long.
      body = new ByteCollector()
      resolve(BODY_TOO_LARGE)
    })
    request.once('end', () => resolve(body.join()))
    request.once('close', () => {
      if (!request.complete) reject(toDisconnectError())
    })
  })
}

function toRequest(exchange: ServerExchange, { url, body }: { url: URL; body: Bytes | undefined }): Request {
  const { method = 'GET', headersDistinct } = exchange.request
  const signal = toDisconnectSignal(exchange)
  const headers = new Headers()
  for (const [name, values] of Object.entries(headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers, signal })
  if (body !== undefined) return new Request(url, { method, headers, signal, body })
  // The DOM types lack `duplex`, which a streaming body requires (https://fetch.spec.whatwg.org/#requestinit).
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers,
    signal,
    body: toBodyStream(exchange.request),
    duplex: 'half',
  }
  return new Request(url, init)
}

/**
 * The body of a request. When the stream is cancelled, the rest is discarded: `Readable.toWeb` would destroy the
 * connection, and with it the response.
 */
function toBodyStream(message: IncomingMessage): ReadableStream<Uint8Array> {
  let stop = (): void => {}
  return new ReadableStream({
    start(controller) {
      const enqueue = (chunk: Uint8Array): void => {
        controller.enqueue(new Uint8Array(chunk))
        message.pause()
      }
      const close = (): void => {
        stop()
        controller.close()
      }
      const fail = (): void => controller.error(toDisconnectError())
      stop = () => void message.off('data', enqueue).off('end', close).off('close', fail)
      if (message.destroyed) return fail()
      message.pause()
      message.on('data', enqueue).once('end', close).once('close', fail)
    },
    pull: () => void message.resume(),
    cancel() {
      stop()
      message.resume()
    },
  })
}

function toDisconnectError(): RequestAborted {
  return new RequestAborted('Failed to read the request body: the client went away.')
}
