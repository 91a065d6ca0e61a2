/** Bytes shared between responses. Never write to them. */
export type Bytes = Uint8Array<ArrayBuffer>

export const NO_BYTES: Bytes = new Uint8Array()

/** Copies a view into its own buffer, so that it does not keep the larger buffer alive. */
export function toOwned(bytes: Uint8Array): Bytes {
  return bytes.byteLength === bytes.buffer.byteLength ? (bytes as Bytes) : new Uint8Array(bytes)
}

/** In bytes. Chunks smaller than this are copied into a shared block. */
const SMALL_CHUNK = 4096
/** In bytes. */
const LARGEST_BLOCK = 65_536

/**
 * Collects the chunks of a body. A client may send it byte by byte; keeping each tiny chunk as a view of its own would
 * take 200 times its size, and may keep a larger buffer alive.
 */
export class ByteCollector {
  /** In bytes. */
  length = 0
  readonly #pieces: Uint8Array[] = []
  #block: Uint8Array = new Uint8Array()
  #filled = 0

  add(chunk: Uint8Array): void {
    this.length += chunk.byteLength
    if (chunk.byteLength < SMALL_CHUNK) {
      this.#copy(chunk)
      return
    }
    this.#seal()
    this.#pieces.push(2 * chunk.byteLength < chunk.buffer.byteLength ? new Uint8Array(chunk) : chunk)
  }

  join(): Bytes {
    this.#seal()
    return joinBytes(this.#pieces)
  }

  #copy(chunk: Uint8Array): void {
    if (this.#filled + chunk.byteLength > this.#block.byteLength) {
      this.#seal()
      this.#block = new Uint8Array(Math.max(SMALL_CHUNK, Math.min(this.length, LARGEST_BLOCK)))
    }
    this.#block.set(chunk, this.#filled)
    this.#filled += chunk.byteLength
  }

  #seal(): void {
    if (this.#filled > 0) this.#pieces.push(this.#block.subarray(0, this.#filled))
    this.#block = new Uint8Array()
    this.#filled = 0
  }
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

/**
 * The pieces that hold the first `limit` bytes, plus at least one byte more if there is one, to show that the body was
 * longer. The last piece is cut when the total would exceed twice the limit.
 */
export function takePieces(pieces: readonly Bytes[], limit: number): readonly Bytes[] {
  let count = 0
  const last = pieces.findIndex((piece) => {
    count += piece.byteLength
    return count > limit
  })
  const piece = pieces[last]
  if (piece === undefined) return pieces
  const before = count - piece.byteLength
  if (count > 2 * limit) return [...pieces.slice(0, last), new Uint8Array(piece.subarray(0, limit - before + 1))]
  return last === pieces.length - 1 ? pieces : pieces.slice(0, last + 1)
}
