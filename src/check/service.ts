import { parseJson } from '../client/ask-control.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { OPERATIONS } from '../contract/operations.gen.ts'
import { NO_BYTES } from '../http/bytes.ts'
import type { ContractOperation } from '../operations/operations.ts'
import type { BadKey, Credentials } from './keys.ts'

/** The default time limit for a response, in milliseconds. */
export const RESPONSE_LIMIT_MS = 10_000

/** The service being checked, or the mock that it is compared with. */
export interface CheckedService extends Credentials {
  /** With the base path and without a trailing slash: `http://127.0.0.1:4100/v1`. */
  readonly url: string
  /** Aborts the check. */
  readonly signal?: AbortSignal | undefined
  /** The time limit for a response, in milliseconds. @default 10_000 */
  readonly responseLimitMs?: number | undefined
  /** @default the global fetch */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

export interface CheckRequest {
  readonly operation: OperationId
  /** Replaces `{petId}`. */
  readonly petId?: string | undefined
  /** @default the valid key */
  readonly key?: BadKey | undefined
  readonly body?: string | undefined
  /** The `Content-Type`; `null` sends none. @default 'application/json' for an update, also for one without a body */
  readonly contentType?: string | null | undefined
  /** The `If-None-Match`. */
  readonly etag?: string | undefined
  /** Whether the body is sent without its length. */
  readonly isChunked?: boolean | undefined
  /** Whether the next request does not wait for the response. */
  readonly isAtOnce?: boolean | undefined
}

export const LIST: CheckRequest = { operation: 'listInventory' }

export interface CheckResponse {
  readonly request: CheckRequest
  /** 0 without a complete response: `text` says why. */
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
  readonly text: string
  /** The body with exact numbers; `undefined` if it is not JSON. */
  readonly json: unknown
  /** Why the whole body could not be decoded, as its `Content-Encoding` says. */
  readonly flaw?: string | undefined
  /**
   * Why there is no complete response. `unreachable`: there is no connection to the address, `connection`: it broke, perhaps
   * after the request had its effect.
   */
  readonly failure?: 'timeout' | 'connection' | 'unreachable'
  /** How long the check waited before the request, in milliseconds. @default 0 */
  readonly afterMs?: number
}

export function findOperation(id: OperationId): ContractOperation {
  return OPERATIONS.find((operation) => operation.id === id) as ContractOperation
}

export function toHttp(
  {
    operation,
    petId = '1',
    key,
    etag,
    contentType = operation === 'updateInventory' ? 'application/json' : null,
  }: CheckRequest,
  { url, apiKey, headers: own }: CheckedService,
): { readonly method: string; readonly url: string; readonly headers: Headers } {
  const { method, path } = findOperation(operation)
  const { authorization, query } = key?.of(apiKey) ?? { authorization: `Bearer ${apiKey}` }
  const headers = new Headers(own)
  if (authorization !== null) headers.set('authorization', authorization)
  if (contentType !== null) headers.set('content-type', contentType)
  if (etag !== undefined) headers.set('if-none-match', etag)
  return { method, url: `${url}${path.replace('{petId}', petId)}${query === undefined ? '' : `?${query}`}`, headers }
}

/**
 * Sends a request once. The service's signal aborts a `GET`. An update in flight is awaited, because the service may
 * apply it even if nobody waits for the response: it must land before the stock is restored.
 */
export async function ask(service: CheckedService, request: CheckRequest): Promise<CheckResponse> {
  const { signal, responseLimitMs = RESPONSE_LIMIT_MS, fetch = globalThis.fetch } = service
  signal?.throwIfAborted()
  const { method, url, headers } = toHttp(request, service)
  const { body, isChunked } = request
  const limit = AbortSignal.timeout(responseLimitMs)
  const stop = method === 'GET' ? signal : undefined
  // The DOM types lack `duplex`, which a streaming body requires (https://fetch.spec.whatwg.org/#requestinit).
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers,
    // Bytes or a stream, because fetch adds its own Content-Type to a string.
    ...(body !== undefined && { body: isChunked ? new Blob([body]).stream() : new TextEncoder().encode(body) }),
    duplex: 'half',
    redirect: 'manual',
    signal: stop === undefined ? limit : AbortSignal.any([limit, stop]),
  }
  let response: Response | undefined
  try {
    response = await fetch(url, init)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const text = new TextDecoder().decode(bytes)
    return { request, status: response.status, headers: response.headers, body: bytes, text, json: parseJson(text) }
  } catch (error) {
    stop?.throwIfAborted()
    const { code = '', message } = ((error as Error).cause ?? {}) as {
      readonly code?: string
      readonly message?: string
    }
    const { status, headers } = response ?? { status: 0, headers: new Headers() }
    const empty = { request, status, headers, body: NO_BYTES, json: undefined }
    // A body that is not encoded as its Content-Encoding says is a response nevertheless.
    if (message !== undefined && /^(?:Z|ERR__)/.test(code)) return { ...empty, text: message, flaw: message }
    const missing = response === undefined ? 'response' : 'end of the response'
    const late = { failure: 'timeout', text: `no ${missing} within ${responseLimitMs / 1000} seconds` } as const
    return { ...empty, status: 0, ...(limit.aborted ? late : toFailure(error)) }
  }
}

/** fetch puts the reason into `cause`. If it tried two IP addresses, there is only a code. */
function toFailure(error: unknown): Required<Pick<CheckResponse, 'failure' | 'text'>> {
  const { code = '', message = '' } = ((error as Error).cause ?? {}) as { code?: string; message?: string }
  const detail = message || code || (error as Error).message
  // fetch refuses some ports without a code.
  const isDead = /^(?:ECONNREFUSED|ENOTFOUND|E(?:HOST|NET)UNREACH|bad port|ERR_SSL.*)$|CERT|^UNABLE_TO/.test(
    code || detail,
  )
  return { failure: isDead ? 'unreachable' : 'connection', text: detail }
}
