import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Awaitable } from '../../http/awaitable.ts'
import { type Bytes, join, NO_BYTES } from '../../http/bytes.ts'
import type { Outcome } from '../../http/outcome.ts'
import {
  BODY_TOO_LARGE,
  type LoggedRequest,
  RequestAborted,
  RequestRecord,
  type WireRequest,
} from '../../http/wire-request.ts'
import { isForeign } from './guard-control.ts'

/** A target that URL parsing would not change. Most targets match, which saves creating a URL. */
const PLAIN = /^(?:\/[\w~-]+)+$/

/** https://fetch.spec.whatwg.org/#forbidden-method */
const FORBIDDEN_METHODS: readonly string[] = ['CONNECT', 'TRACE', 'TRACK']

interface ServerParts {
  /** Aborts when the server begins to close. */
  readonly closing: AbortSignal
  /** Ends the responses of one turn together. */
  readonly batch: { add(end: () => void): void }
  readonly hosts: readonly string[]
}

type RequestParts = Pick<ServerRequest, 'request' | 'response' | 'server'>

/** A request to the server as the service reads it, and where its response is written. */
export class ServerRequest implements WireRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly server: ServerParts
  readonly method: string
  /** Empty if the target is not a URL. */
  readonly path: string
  isBodyRead = false
  recorded: LoggedRequest | undefined
  outcome: Outcome | undefined
  readonly #url: URL | undefined
  #disconnected: AbortSignal | undefined

  constructor({ request, response, server }: RequestParts) {
    const { method = 'GET', url = '/' } = request
    this.request = request
    this.response = response
    this.server = server
    this.method = method
    this.#url = PLAIN.test(url) ? undefined : toUrl(request)
    this.path = PLAIN.test(url) ? url : (this.#url?.pathname ?? '')
  }

  get url(): URL {
    return this.#url ?? (toUrl(this.request) as URL)
  }

  isForeign(origins: readonly string[]): boolean {
    return isForeign(this.request, { hosts: this.server.hosts, origins })
  }

  header(name: string): string | undefined {
    return this.request.headers[name] as string | undefined
  }

  toRecord(): RequestRecord {
    const path = this.path + (this.#url?.search ?? '')
    return new RequestRecord(this.method, { path, lines: this.request.rawHeaders.join('\n') })
  }

  /**
   * Aborts when the client disconnects. A half-closed client still receives responses that are ready, but delays and
   * proxied requests end: a half-close looks the same as giving up. One signal serves the whole request, because
   * Node warns of more than ten listeners, and its `pipeline` adds seven.
   */
  signal(): AbortSignal {
    this.#disconnected ??= createDisconnectSignal(this)
    return this.#disconnected
  }

  /** A request has a body if it has one of these headers (RFC 9112, section 6). */
  get hasBody(): boolean {
    const { headers } = this.request
    return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  }

  readBody(limit: number): Awaitable<Bytes | typeof BODY_TOO_LARGE> {
    const { request } = this
    const { complete, headers, readableLength } = request
    if (!this.hasBody) return NO_BYTES
    const length = Number(headers['content-length'])
    if (length > limit) return BODY_TOO_LARGE
    // Node marks a body as complete only some turns after it has read all of it.
    const hasArrived = complete || readableLength === length
    if (!hasArrived) return receiveBody(request, limit)
    this.isBodyRead = true
    const body: Bytes = request.read() ?? NO_BYTES
    return body.byteLength > limit ? BODY_TOO_LARGE : body
  }

  toRequest(body: Bytes): Request | undefined {
    const { method, url } = this
    if (FORBIDDEN_METHODS.includes(method)) return undefined
    const lines = Object.entries(this.request.headersDistinct)
    const headers = new Headers(lines.flatMap(([name, values = []]) => values.map((value) => [name, value] as const)))
    const init = { method, headers, signal: this.signal() }
    return new Request(url, method === 'GET' || method === 'HEAD' ? init : { ...init, body })
  }
}

/** Runs a request after the responses to the earlier requests of its connection. */
export function runInTurn({ request, response }: Pick<ServerRequest, 'request' | 'response'>, run: () => void): void {
  // Node assigns a response its socket once the responses before it are sent.
  if (response.socket === null) response.once('socket', () => process.nextTick(run))
  // Most bodies come with their head, and Node has read them a tick later: `readBody` then needs no promise.
  else if (request.headers['content-length'] !== undefined) process.nextTick(run)
  else run()
}

function createDisconnectSignal({ request, response }: ServerRequest): AbortSignal {
  const { socket } = request
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  if (response.destroyed || socket.readableEnded) abort()
  socket.once('end', abort)
  response.once('close', () => {
    socket.off('end', abort)
    abort()
  })
  return controller.signal
}

/**
 * The origin comes from the Host header, or from a target in absolute form (RFC 9112, section 3.2). `undefined` if the
 * target is not a URL.
 */
function toUrl({ url: target = '/', headers }: IncomingMessage): URL | undefined {
  // Backslashes are invalid in a target, but URL parsing would turn them into slashes.
  if (target.includes('\\')) return undefined
  // Uses only the host of the header. Anything else in it would become part of the path.
  const { host = 'localhost' } = URL.parse(`http://${headers.host}`) ?? {}
  const url = URL.parse(target.startsWith('/') ? `http://${host}${target}` : target)
  // `Request` rejects a URL with user and password, and its error message repeats them.
  return url === null ? undefined : Object.assign(url, { username: '', password: '' })
}

function receiveBody(request: IncomingMessage, limit: number): Promise<Bytes | typeof BODY_TOO_LARGE> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let length = 0
    request.on('data', (chunk: Uint8Array) => {
      length += chunk.byteLength
      if (length <= limit) chunks.push(chunk)
      // The rest may take long.
      else resolve(BODY_TOO_LARGE)
    })
    const fail = (): void => reject(new RequestAborted('Failed to read the request body: the client went away.'))
    if (request.destroyed) fail()
    request.once('end', () => resolve(join(chunks)))
    request.once('close', fail)
  })
}
