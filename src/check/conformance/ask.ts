import { explainTls } from '../../client/ask-control.ts'
import { readBeginning } from '../../http/bytes.ts'

/** The default time limit for a response, in milliseconds. */
export const RESPONSE_LIMIT_MS = 10_000
/** The default limit for the body of a response, in bytes: a list of four million pets. */
const LARGEST_RESPONSE = 256 * 1024 ** 2

/** The service being checked. */
export interface CheckedService {
  /** Its URL with the base path and without a trailing slash: `http://127.0.0.1:4100/v1`. */
  readonly url: string
  readonly apiKey: string
  /** Aborts the check. */
  readonly signal?: AbortSignal | undefined
  /**
   * The time limit for a response, in milliseconds.
   * @default 10_000
   */
  readonly responseLimitMs?: number | undefined
  /**
   * The limit for the body of a response, in bytes.
   * @default 268_435_456 (256 MB)
   */
  readonly largestResponse?: number | undefined
}

/** A request as it is sent. */
interface RawRequest {
  readonly method: string
  /** Relative to the base path. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /**
   * Whether to send the body without a `Content-Length`, with `Transfer-Encoding: chunked`.
   * @default false
   */
  readonly isChunked?: boolean | undefined
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

/** The service sent no complete response. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** Whether it took too long. */
  readonly isTimeout: boolean
  /** Whether the head of the response came, so that the request was carried out. */
  readonly hasHead: boolean

  constructor(
    message: string,
    { isTimeout = false, hasHead = false, ...options }: ErrorOptions & { isTimeout?: boolean; hasHead?: boolean } = {},
  ) {
    super(message, options)
    this.isTimeout = isTimeout
    this.hasHead = hasHead
  }
}

/**
 * The service's signal aborts a `GET`. An update in flight is awaited, because the service may apply it even if nobody
 * waits for the response: it must land before the stock is restored.
 * @throws {NoAnswer} if the service cannot be reached, closes the connection early, takes too long, or sends too much.
 */
export async function ask(
  { url, signal, responseLimitMs = RESPONSE_LIMIT_MS, largestResponse = LARGEST_RESPONSE }: CheckedService,
  { method, path, headers, body, isChunked = false }: RawRequest,
): Promise<RawAnswer> {
  signal?.throwIfAborted()
  const limit = AbortSignal.timeout(responseLimitMs)
  const stop = method === 'GET' ? signal : undefined
  const ended = stop === undefined ? limit : AbortSignal.any([limit, stop])
  let hasHead = false
  // The DOM types lack `duplex`, which a streaming body requires (https://fetch.spec.whatwg.org/#requestinit).
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers,
    // Bytes or a stream, because fetch adds its own Content-Type to a string.
    ...(body !== undefined && { body: isChunked ? new Blob([body]).stream() : new TextEncoder().encode(body) }),
    duplex: 'half',
    redirect: 'manual',
    signal: ended,
  }
  try {
    const response = await fetch(url + path, init)
    hasHead = true
    const { status, headers, body } = response
    const { bytes, isCut } = await readBeginning(body, { limit: largestResponse, signal: ended })
    ended.throwIfAborted()
    if (isCut) throw new Error(`the body is longer than ${largestResponse} bytes`)
    return { status, headers, body: bytes }
  } catch (cause) {
    stop?.throwIfAborted()
    const isTimeout = limit.aborted
    const missing = hasHead ? 'no end of the response' : 'no response'
    const reason = isTimeout ? `${missing} within ${responseLimitMs / 1000} seconds` : toReason(cause)
    throw new NoAnswer(reason, { cause, isTimeout, hasHead })
  }
}

/** The code of a TLS error starts with one of these prefixes or contains this word. */
const TLS = /^(?:ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)|CERT/

/** fetch puts the reason into `cause`. If it tried two IP addresses, there is only a code. */
function toReason(error: unknown): string {
  const { message = '', code = '' } = (error as { cause?: { message?: string; code?: string } }).cause ?? {}
  const detail = message || code || (error as Error).message
  const tlsReason = explainTls(error)
  if (tlsReason !== undefined) return tlsReason
  if (TLS.test(code)) return `the TLS connection failed (${detail})`
  if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_FORMAT'))
    return `the body is not in the encoding that Content-Encoding names (${detail})`
  if (code === 'UND_ERR_SOCKET') return `the connection was closed before the end of the response (${detail})`
  return detail
}
