/** Bytes shared between responses. Never write to them. */
export type Bytes = Uint8Array<ArrayBuffer>

export const NO_BYTES: Bytes = new Uint8Array()

/** Copies a view into its own buffer, so that it does not keep the larger buffer alive. */
export function toOwned(bytes: Uint8Array): Bytes {
  return bytes.byteLength === bytes.buffer.byteLength ? (bytes as Bytes) : new Uint8Array(bytes)
}

/** In bytes. */
const SMALLEST_BUFFER = 4096

/**
 * Collects the chunks of a body in one buffer. A client may send a body byte by byte, and each chunk that is kept as a view
 * of its own takes 200 bytes.
 */
export class ByteCollector {
  /** In bytes. */
  length = 0
  #buffer: Bytes = new Uint8Array()

  add(chunk: Uint8Array): void {
    const end = this.length + chunk.byteLength
    // Most bodies are a single chunk, and need no more room.
    if (end > this.#buffer.byteLength) this.#resize(this.length === 0 ? end : Math.max(SMALLEST_BUFFER, 2 * end))
    this.#buffer.set(chunk, this.length)
    this.length = end
  }

  copy(): Bytes {
    return this.#buffer.slice(0, this.length)
  }

  /** The bytes in a buffer of their own. Nothing can be added afterwards. */
  join(): Bytes {
    if (this.length < this.#buffer.byteLength) this.#resize(this.length)
    return this.#buffer
  }

  #resize(size: number): void {
    this.#buffer = new Uint8Array(this.#buffer.buffer.transfer(size))
  }
}

/** A limit on how many of something several consumers hold at the same time. */
export class Budget {
  readonly limit: number
  #taken = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Reserves some. Returns false, and reserves none, when the budget has too few left. */
  take(count: number): boolean {
    if (this.#taken + count > this.limit) return false
    this.#taken += count
    return true
  }

  /** Returns reserved ones to the budget. */
  give(count: number): void {
    this.#taken -= count
  }
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
  const collected = new ByteCollector()
  const reader = stream.getReader()
  const stop = (): void => void reader.cancel().catch(() => {})
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  let isCut = false
  try {
    for (let next = await reader.read(); !next.done && !isCut; next = await reader.read()) {
      const { byteLength } = next.value
      isCut = collected.length + byteLength > limit
      collected.add(next.value.subarray(0, limit + 1 - collected.length))
      if (isCut) stop()
    }
  } catch (error) {
    if (!isBreakEnd) throw error
  }
  return { bytes: collected.join(), isCut }
}
