/** Bytes that nobody writes to: they are shared between answers. */
export type Bytes = Uint8Array<ArrayBuffer>

/** The bytes in memory of their own: as a part of a larger buffer they would keep all of it. */
export function toOwned(bytes: Uint8Array): Bytes {
  return bytes.byteLength === bytes.buffer.byteLength ? (bytes as Bytes) : new Uint8Array(bytes)
}

/** In bytes. Smaller chunks are copied together. */
const SMALL_CHUNK = 4096
const LARGEST_BLOCK = 65_536

/**
 * Puts a body together as it comes. A client may send it byte by byte: kept as they are, the chunks would take two
 * hundred times what is in them, and each of them may keep a larger buffer.
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

/** Puts pieces together; a single one is given back as it is. */
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
 * The pieces that hold the first `limit` bytes. The last of them reaches beyond where there is more, and by no more
 * than `limit`: of a longer one only the beginning is kept.
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
