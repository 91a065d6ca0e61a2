/** Bytes shared between responses. Never write to them. */
export type Bytes = Uint8Array<ArrayBuffer>

export const NO_BYTES: Bytes = new Uint8Array()

/** Copies a view into its own buffer, so that it does not keep the larger buffer alive. */
export function toOwned(bytes: Uint8Array): Bytes {
  return bytes.byteLength === bytes.buffer.byteLength ? (bytes as Bytes) : new Uint8Array(bytes)
}

/** Concatenates pieces. A single piece is returned without a copy. */
export function joinBytes(pieces: readonly Uint8Array[]): Bytes {
  const [first] = pieces
  if (pieces.length === 1 && first !== undefined) return first as Bytes
  const joined = new Uint8Array(countBytes(pieces))
  let offset = 0
  for (const piece of pieces) {
    joined.set(piece, offset)
    offset += piece.byteLength
  }
  return joined
}

export function countBytes(pieces: readonly Uint8Array[]): number {
  let count = 0
  for (const piece of pieces) count += piece.byteLength
  return count
}

/** The first pieces with more than `limit` bytes, or all. They are shared, except for one that is longer than the limit. */
export function takePieces(pieces: readonly Bytes[], limit: number): readonly Bytes[] {
  let count = 0
  const last = pieces.findIndex((piece) => {
    count += piece.byteLength
    return count > limit
  })
  if (last === -1) return pieces
  return pieces.slice(0, last + 1).map((piece) => (piece.byteLength > limit ? piece.slice(0, limit + 1) : piece))
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

  /** The bytes in a buffer of their own. Nothing can be added afterwards. */
  join(): Bytes {
    if (this.length < this.#buffer.byteLength) this.#resize(this.length)
    return this.#buffer
  }

  #resize(size: number): void {
    this.#buffer = new Uint8Array(this.#buffer.buffer.transfer(size))
  }
}

/** A limit on the bytes, or other things, that several consumers hold at the same time. */
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
  /** Each chunk reserves its bytes here. */
  readonly budget?: Pick<Budget, 'take'> | undefined
  /** Aborts when nobody needs the body any more. */
  readonly signal?: AbortSignal
  /** Whether a body that breaks off ends there. By default, it is an error. */
  readonly isBreakEnd?: boolean
}

/**
 * Reads a body to its end, to the limit or as long as the budget lasts, since a stream may be endless. One byte beyond the
 * limit shows a cut. It uses a reader because WebKit cannot iterate streams: https://bugs.webkit.org/show_bug.cgi?id=194379
 */
export async function readBeginning(
  stream: ReadableStream<Uint8Array> | null,
  { limit, budget, signal, isBreakEnd = false }: ReadingLimits,
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
      isCut = collected.length + byteLength > limit || budget?.take(byteLength) === false
      collected.add(next.value.subarray(0, limit + 1 - collected.length))
      if (isCut) stop()
    }
  } catch (error) {
    if (!isBreakEnd) throw error
  }
  return { bytes: collected.join(), isCut }
}
