import { type ConnectionFault, isAnswer, isBroken, type Outcome, toBeginning } from './outcome.ts'
import { REASON_PHRASES, toResponse, type WireResponse } from './wire-response.ts'

// Taken when this module is loaded, so that a runner's fake timers do not stop the double.
const { setTimeout } = globalThis

/**
 * What `fetch` makes of a reply.
 * @throws {TypeError} as fetch does where the connection failed; the signal's reason where the client gave up.
 */
export function toFetchResult(
  reply: Outcome,
  request: Pick<Request, 'method' | 'signal'>,
): Response | Promise<Response> {
  request.signal.throwIfAborted()
  if (isBroken(reply)) return toBrokenResult(reply, request)
  if (isAnswer(reply)) return toResponse(reply, request.method)
  if (reply.type === 'error') throw new TypeError('Failed to fetch')
  return reply
}

async function toBrokenResult(broken: ConnectionFault, { signal }: Pick<Request, 'signal'>): Promise<Response> {
  if (broken.breakage === 'truncated') return toTruncatedResponse(broken.answer)
  if (broken.breakage === 'timeout') await waitForAbort(AbortSignal.any([signal, broken.released]))
  signal.throwIfAborted()
  throw new TypeError('Failed to fetch')
}

function toTruncatedResponse(answer: WireResponse): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(toBeginning(answer)),
    async pull(stream) {
      // What was sent has to get out first: an interceptor that writes to a socket does so in a later turn.
      await new Promise((resolve) => setTimeout(resolve, 0))
      stream.error(new TypeError('terminated'))
    },
  })
  const { status, headers } = answer
  return new Response(body, { status, statusText: REASON_PHRASES[status] ?? '', headers })
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
