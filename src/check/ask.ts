import { explainTls } from '../client/ask-control.ts'
import { readBeginning } from '../http/bytes.ts'

/** The default time limit for a response, in milliseconds. */
export const RESPONSE_LIMIT_MS = 10_000
/** The default limit for the body of a response, in bytes: a list of four million pets. */
const LARGEST_RESPONSE = 256 * 1024 ** 2

/** The service being checked. */
export interface CheckedService {
  /** Its URL with the base path and without a trailing slash: `http://127.0.0.1:4100/v1`. */
  readonly url: string
  readonly apiKey: string
  /** Headers for every request, which a gateway may need. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Aborts the check. */
  readonly signal?: AbortSignal | undefined
  /** The time limit for a response, in milliseconds. @default 10_000 */
  readonly responseLimitMs?: number | undefined
  /** The limit for the body of a response, in bytes. @default 268_435_456 (256 MB) */
  readonly largestResponse?: number | undefined
}

/** A request as it is sent. */
export interface RawRequest {
  readonly method: string
  /** Relative to the base path. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Whether to send the body without a `Content-Length`, with `Transfer-Encoding: chunked`. @default false */
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
  /** `broken`: there is a response that cannot be read, which another attempt does not fix. */
  readonly kind: 'timeout' | 'connection' | 'broken'

  constructor(message: string, { kind, ...options }: ErrorOptions & { kind: NoAnswer['kind'] }) {
    super(message, options)
    this.kind = kind
  }
}

/**
 * Sends one request. The service's signal aborts a `GET`. An update in flight is awaited, because the service may apply
 * it even if nobody waits for the response: it must land before the stock is restored.
 * @throws {NoAnswer} if the service cannot be reached, closes the connection early, takes too long, or sends too much.
 */
export async function ask(
  {
    url,
    headers: own,
    signal,
    responseLimitMs = RESPONSE_LIMIT_MS,
    largestResponse = LARGEST_RESPONSE,
  }: Omit<CheckedService, 'apiKey'> & { readonly apiKey?: string },
  { method, path, headers: given, body, isChunked = false }: RawRequest,
): Promise<RawAnswer> {
  signal?.throwIfAborted()
  const limit = AbortSignal.timeout(responseLimitMs)
  const stop = method === 'GET' ? signal : undefined
  const ended = stop === undefined ? limit : AbortSignal.any([limit, stop])
  let hasHead = false
  // The DOM types lack `duplex`, which a streaming body requires (https://fetch.spec.whatwg.org/#requestinit).
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers: { ...own, ...given },
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
    if (!limit.aborted) throw new NoAnswer(toReason(cause), { cause, kind: isBroken(cause) ? 'broken' : 'connection' })
    const missing = hasHead ? 'no end of the response' : 'no response'
    throw new NoAnswer(`${missing} within ${responseLimitMs / 1000} seconds`, { cause, kind: 'timeout' })
  }
}

function toCode(error: unknown): string {
  return (error as { cause?: { code?: string } }).cause?.code ?? ''
}

function isBroken(error: unknown): boolean {
  return (
    /^(?:Z_|ERR__ERROR_FORMAT|HPE_)/.test(toCode(error)) || (error as Error).message.startsWith('the body is longer')
  )
}

/** fetch puts the reason into `cause`. If it tried two IP addresses, there is only a code. */
function toReason(error: unknown): string {
  const code = toCode(error)
  const { message = '' } = (error as { cause?: { message?: string } }).cause ?? {}
  const detail = message || code || (error as Error).message
  const tlsReason = explainTls(error)
  if (tlsReason !== undefined) return tlsReason
  if (/^(?:Z_|ERR__ERROR_FORMAT)/.test(code))
    return `the body is not in the encoding that Content-Encoding names (${detail})`
  if (code === 'UND_ERR_SOCKET') return `the connection was closed before the end of the response (${detail})`
  return detail
}
