import type { Bytes } from './bytes.ts'

interface ReadingLimits {
  /** In bytes. */
  readonly limit: number
  /** Aborts when nobody needs the body any more. */
  readonly signal: AbortSignal
  /** Whether a body that breaks off ends there. By default, it is an error. */
  readonly isBreakEnd?: boolean
}

/** Reads a body to its end or to the limit, since a stream may be endless. One byte beyond the limit shows a cut. */
export async function readBeginning(
  stream: ReadableStream<Uint8Array>,
  { limit, signal, isBreakEnd = false }: ReadingLimits,
): Promise<readonly Bytes[]> {
  const pieces: Bytes[] = []
  const reader = stream.getReader()
  const stop = (): void => void reader.cancel().catch(() => {})
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  let left = limit
  const end = { done: true, value: undefined } as const
  const read = () => reader.read().catch((error: unknown) => (isBreakEnd ? end : Promise.reject(error)))
  for (let next = await read(); !next.done; next = await read()) {
    pieces.push(new Uint8Array(next.value.subarray(0, left + 1)))
    left -= next.value.byteLength
    if (left >= 0) continue
    stop()
    break
  }
  return pieces
}
