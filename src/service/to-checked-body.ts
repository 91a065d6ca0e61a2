import { toFetchReason } from '../http/to-fetch-reason.ts'
import { RequestAborted } from '../http/wire-request.ts'

/** Where a proxied body comes from. */
export interface BodyOrigin {
  readonly origin: string
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** Whether it may take any time to begin. */
  readonly isStream: boolean
}

/**
 * Waits for the first bytes, unless the body is a stream: a body that cannot be read is then a 502 instead of half a
 * response. If the body ends early later, one line is logged.
 * @throws when the first bytes cannot be read.
 */
export async function toCheckedBody(
  body: ReadableStream<Uint8Array>,
  { origin, signal, isStream }: BodyOrigin,
): Promise<ReadableStream<Uint8Array>> {
  const reader = body.getReader()
  let first = isStream ? undefined : await reader.read()
  const read = async (): Promise<ReadableStreamReadResult<Uint8Array>> => {
    const next = first ?? (await reader.read())
    first = undefined
    return next
  }
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await read()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      } catch (error) {
        const reason = toFetchReason(error)
        if (!signal.aborted) console.error(`petstore-mock: ${origin} did not finish its response: ${reason}`)
        const cause = new RequestAborted(`${origin} did not finish its response.`, { cause: error })
        controller.error(new TypeError('terminated', { cause }))
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
