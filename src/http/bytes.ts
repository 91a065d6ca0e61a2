/** Bytes shared between responses. Never write to them. */
export type Bytes = Uint8Array<ArrayBuffer>

export const NO_BYTES: Bytes = new Uint8Array()

/** Copies a view into its own buffer, so that it does not keep the larger buffer alive. */
export function toOwned(bytes: Uint8Array): Bytes {
  return bytes.byteLength === bytes.buffer.byteLength ? (bytes as Bytes) : new Uint8Array(bytes)
}

/** Joins the chunks of a body. */
export function join(chunks: readonly Uint8Array[]): Bytes {
  const [only = NO_BYTES, ...more] = chunks
  if (more.length === 0) return toOwned(only)
  const bytes = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let end = 0
  for (const chunk of chunks) {
    bytes.set(chunk, end)
    end += chunk.byteLength
  }
  return bytes
}

interface ReadingLimits {
  /** In bytes. */
  readonly limit: number
  /** Aborts when nobody needs the body any more. */
  readonly signal?: AbortSignal
  /** Whether a body that breaks off ends there. By default, it is an error. */
  readonly isBreakEnd?: boolean
}

/**
 * Reads a body to its end or to the limit, since a stream may be endless. One byte beyond the
 * limit shows a cut. It uses a reader because WebKit cannot iterate streams: https://bugs.webkit.org/show_bug.cgi?id=194379
 */
export async function readBeginning(
  stream: ReadableStream<Uint8Array> | null,
  { limit, signal, isBreakEnd = false }: ReadingLimits,
): Promise<{ readonly bytes: Bytes; readonly isCut: boolean }> {
  if (stream === null) return { bytes: NO_BYTES, isCut: false }
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = stream.getReader()
  const stop = (): void => void reader.cancel().catch(() => {})
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  let isCut = false
  try {
    while (!isCut) {
      const { done, value } = await reader.read()
      if (done) break
      isCut = length + value.byteLength > limit
      chunks.push(value.subarray(0, limit + 1 - length))
      length += value.byteLength
    }
    if (isCut) stop()
  } catch (error) {
    if (!isBreakEnd) throw error
  }
  return { bytes: join(chunks), isCut }
}
