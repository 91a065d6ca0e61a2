import { connect, type Socket } from 'node:net'
import { parseResponse, type WireResponse } from './parse-response.ts'

/** How a connection ended: the server closed it in order, or it broke. */
type Ending = 'closed' | 'reset'

/** Thrown where a response was to come. */
export class ConnectionEnded extends Error {
  readonly ended: Ending
  readonly rest: Buffer
  constructor(ended: Ending, rest: Buffer) {
    super(`The connection was ${ended} after ${JSON.stringify(rest.toString('latin1', 0, 300))}.`)
    this.ended = ended
    this.rest = rest
  }
}

/** A client that sends any bytes, and reads what comes back with a strict parser. */
export interface RawClient extends Disposable {
  readonly socket: Socket
  /** Resolves when the bytes have left this process. */
  send(bytes: string | Uint8Array): Promise<void>
  /**
   * The next final response. Rejects where the bytes are no response, or the connection ends before its end.
   * @param method Of the request; `GET` where it is left out.
   */
  next(method?: string): Promise<WireResponse>
  /** Sends a request, and resolves with the next final response: `toRequest`. */
  ask(method: string, path: string, options?: RequestOptions): Promise<WireResponse>
  /** The next response, which may also be an interim one (100). */
  nextOfAny(method?: string): Promise<WireResponse>
  /** The bytes that have come and are in no response yet. */
  rest(): Buffer
  /** Resolves when the connection is over. */
  readonly ended: Promise<Ending>
}

/** Opens a connection to a server, given by its URL or by its port on 127.0.0.1. */
export async function openRawClient(server: string | number): Promise<RawClient> {
  const { hostname, port } = new URL(typeof server === 'number' ? `http://127.0.0.1:${server}` : server)
  // A half-open connection: the client goes on reading after it has sent its FIN.
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), allowHalfOpen: true })
  socket.setNoDelay(true)
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return followSocket(socket)
}

/** The same over a connection that is already open, such as one with TLS. */
export function followSocket(socket: Socket): RawClient {
  let received: Buffer = Buffer.alloc(0)
  let ending: Ending | undefined
  let wake = (): void => {}
  const { promise: ended, resolve: end } = Promise.withResolvers<Ending>()
  const finish = (how: Ending): void => {
    ending ??= how
    end(ending)
    wake()
  }
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    wake()
  })
  socket.on('error', () => finish('reset'))
  // Its FIN ends what the server has to say; this side closes too.
  socket.on('end', () => {
    finish('closed')
    socket.end()
  })
  socket.on('close', () => finish('closed'))

  async function nextOfAny(method = 'GET'): Promise<WireResponse> {
    for (;;) {
      const parsed = received.byteLength > 0 ? parseResponse(received, method) : undefined
      if (parsed !== undefined) {
        received = received.subarray(parsed.length)
        return parsed.response
      }
      if (ending !== undefined) throw new ConnectionEnded(ending, received)
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  const send = (bytes: string | Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => socket.write(bytes, (error) => (error == null ? resolve() : reject(error))))
  async function next(method?: string): Promise<WireResponse> {
    for (;;) {
      const response = await nextOfAny(method)
      if (response.status >= 200) return response
    }
  }

  return {
    socket,
    send,
    nextOfAny,
    next,
    async ask(method, path, options) {
      await send(toRequest(method, path, options))
      return next(method)
    },
    rest: () => received,
    ended,
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

interface RequestOptions {
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: string
}

/**
 * The bytes of a request, authorized unless a header says otherwise; `undefined` leaves a header out. A body is sent
 * with its length and as JSON, unless the headers say otherwise. Names in lower case.
 */
export function toRequest(method: string, path: string, { headers = {}, body }: RequestOptions = {}): string {
  const isFramed = 'content-length' in headers || 'transfer-encoding' in headers
  const fields: Record<string, string | undefined> = {
    host: '127.0.0.1',
    authorization: 'Bearer demo-key',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(body !== undefined && !isFramed && { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  }
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  const lines = sent.map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}
