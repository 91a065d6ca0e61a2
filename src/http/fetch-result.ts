import { type Outcome, toBeginning } from './outcome.ts'
import { isBodiless, toResponse, type WireResponse } from './wire-response.ts'

/**
 * Turns an outcome into the result of `fetch`.
 * @throws {TypeError} when the connection fails, as fetch does; the signal's reason when the client aborts.
 */
export async function toFetchResult(outcome: Outcome, request: Pick<Request, 'method' | 'signal'>): Promise<Response> {
  const { method, signal } = request
  signal.throwIfAborted()
  if (outcome.type === 'response') return toResponse(outcome, method)
  if (outcome.type === 'fetch-response') return toAbortable(outcome.response, request)
  if (outcome.kind === 'truncated') return toTruncatedResponse(outcome.response, method)
  if (outcome.kind === 'timeout') await waitForAbort(AbortSignal.any([signal, outcome.released]))
  signal.throwIfAborted()
  if (outcome.kind !== 'timeout' && outcome.cause !== undefined)
    throw new TypeError('Failed to fetch', { cause: outcome.cause })
  throw createBroken('Failed to fetch', outcome.kind === 'reset')
}

/** The error of fetch for a broken connection. Retry logic looks at the code of its cause, which is that of undici. */
function createBroken(message: string, isReset = false): TypeError {
  const [reason, code] = isReset ? ['read ECONNRESET', 'ECONNRESET'] : ['other side closed', 'UND_ERR_SOCKET']
  return new TypeError(message, { cause: Object.assign(new Error(reason), { code }) })
}

/**
 * The body fails, and its source is cancelled, when the client aborts. Node forgets the signal of a request that nobody holds,
 * and never frees its listeners (https://github.com/nodejs/undici/blob/v7.16.0/lib/web/fetch/request.js).
 */
function toAbortable(response: Response, request: Pick<Request, 'signal'>): Response {
  const body = response.body?.pipeThrough(
    new TransformStream({
      start(stream) {
        const { signal } = request
        // Node never frees the listener, which must not keep the stream alive.
        const weak = new WeakRef(stream)
        signal.addEventListener('abort', () => weak.deref()?.error(signal.reason), { once: true })
      },
      // Keeps the request alive as long as the stream.
      flush: () => void request,
    }),
  )
  return new Response(body, response)
}

function toTruncatedResponse(whole: WireResponse, method: string): Response {
  if (isBodiless(whole, method)) return toResponse(whole, method)
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(toBeginning(whole)),
    pull: (stream) => stream.error(createBroken('terminated')),
  })
  return new Response(body, toResponse(whole, 'HEAD'))
}

/** Resolves when the signal aborts. */
export function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** Rejects with the reason when the signal aborts first: a client that leaves does not wait for a handler that goes on. */
export async function untilAborted<Value>(result: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(signal.reason)
  signal.addEventListener('abort', giveUp)
  try {
    return await Promise.race([result, aborted])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
