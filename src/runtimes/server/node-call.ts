import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { BODY_TOO_LARGE, type Call, CallAborted } from '../../contract/call.ts'

/** A call out of Node's request; `undefined` where its target is no URL. */
export function toNodeCall(request: IncomingMessage, response: ServerResponse): Call | undefined {
  const url = toUrl(request)
  if (url === null) return undefined
  const method = request.method ?? 'GET'
  return {
    method,
    url,
    header: (name) => request.headers[name] as string | undefined,
    headers: () => Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const),
    signal: () => toSignal(response),
    readBody: (limit) => readBody(request, limit),
    toRequest: () => toRequest(request, url),
  }
}

/** The origin is what the client called the server; a target in absolute form names its own (RFC 9112, section 3.2). */
function toUrl({ url = '/', headers }: IncomingMessage): URL | null {
  if (!url.startsWith('/')) return URL.parse(url)
  return URL.parse(`http://${headers.host}${url}`) ?? URL.parse(`http://localhost${url}`)
}

/** A connection that closes before the answer is out has lost its client. */
function toSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  response.once('close', () => controller.abort())
  return controller.signal
}

function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array<ArrayBuffer> | typeof BODY_TOO_LARGE> {
  if (Number(request.headers['content-length']) > limit) return Promise.resolve(BODY_TOO_LARGE)
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let length = 0
    const settle = (value: Uint8Array<ArrayBuffer> | typeof BODY_TOO_LARGE): void => {
      request.off('data', read).off('end', end).off('error', abort).off('close', abort)
      resolve(value)
    }
    const read = (chunk: Uint8Array): void => {
      length += chunk.byteLength
      chunks.push(chunk)
      if (length > limit) settle(BODY_TOO_LARGE)
    }
    const end = (): void => settle(Buffer.concat(chunks))
    const abort = (): void => reject(new CallAborted('Failed to read the request body: the client went away.'))
    request.on('data', read).on('end', end).on('error', abort).on('close', abort)
  })
}

function toRequest(message: IncomingMessage, url: URL): Request {
  const { method = 'GET' } = message
  const headers = new Headers()
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers })
  const body = Readable.toWeb(message) as ReadableStream<Uint8Array>
  // The DOM's types lack `duplex`, which a body that streams needs (https://fetch.spec.whatwg.org/#requestinit).
  const init: RequestInit & { duplex: 'half' } = { method, headers, body, duplex: 'half' }
  return new Request(url, init)
}
