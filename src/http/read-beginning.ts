import type { Bytes } from './bytes.ts'

interface ReadingLimits {
  /** In bytes. */
  readonly limit: number
  /** Aborts when nobody needs the body any more. */
  readonly signal: AbortSignal
}

/**
 * Reads a body to its end, to where it breaks off or to the limit, whichever comes first, since a stream may be endless.
 * One byte beyond the limit shows that the body was cut.
 */
export async function readBeginning(
  stream: ReadableStream<Uint8Array>,
  { limit, signal }: ReadingLimits,
): Promise<readonly Bytes[]> {
  const pieces: Bytes[] = []
  const reader = stream.getReader()
  const stop = (): void => void reader.cancel().catch(() => {})
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  let left = limit
  const read = (): ReturnType<typeof reader.read> => reader.read().catch(() => ({ done: true, value: undefined }))
  for (let next = await read(); !next.done; next = await read()) {
    pieces.push(new Uint8Array(next.value.subarray(0, left + 1)))
    left -= next.value.byteLength
    if (left >= 0) continue
    stop()
    break
  }
  return pieces
}
