import { assertNever, type ConnectionFault, type Outcome, toBeginning } from './outcome.ts'
import { REASON_PHRASES, toResponse, type WireResponse } from './wire-response.ts'

// Captured at load, so that a test runner's fake timers do not stop the mock.
const { setTimeout } = globalThis

/**
 * Turns an outcome into the result of `fetch`.
 * @throws {TypeError} when the connection fails, as fetch does; the signal's reason when the client aborts.
 */
export function toFetchResult(
  outcome: Outcome,
  request: Pick<Request, 'method' | 'signal'>,
): Response | Promise<Response> {
  request.signal.throwIfAborted()
  switch (outcome.type) {
    case 'response':
      return toResponse(outcome, request.method)
    case 'fetch-response':
      return outcome.response
    case 'connection-fault':
      return toFailedFetch(outcome, request)
    default:
      return assertNever(outcome)
  }
}

async function toFailedFetch(fault: ConnectionFault, { signal }: Pick<Request, 'signal'>): Promise<Response> {
  switch (fault.kind) {
    case 'truncated':
      return toTruncatedResponse(fault.response, fault.cookies)
    case 'timeout':
      await waitForAbort(AbortSignal.any([signal, fault.released]))
      break
    case 'network':
    case 'reset':
      break
    default:
      assertNever(fault)
  }
  signal.throwIfAborted()
  throw new TypeError('Failed to fetch')
}

function toTruncatedResponse(whole: WireResponse, cookies: readonly string[] = []): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(toBeginning(whole)),
    async pull(stream) {
      // Interceptors write chunks to their socket in a later task. An immediate error would discard the first half.
      await new Promise((resolve) => setTimeout(resolve, 0))
      stream.error(new TypeError('terminated'))
    },
  })
  const { status } = whole
  const headers = new Headers(whole.headers)
  headers.delete('set-cookie')
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(body, { status, statusText: REASON_PHRASES[status] ?? '', headers })
}

/** Resolves when the signal aborts. */
export function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
