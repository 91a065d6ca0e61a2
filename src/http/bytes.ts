/** Bytes that nobody writes to: they are shared between answers. */
export type Bytes = Uint8Array<ArrayBuffer>

/** The bytes in memory of their own: as a part of a larger buffer they would keep all of it. */
export function toOwned(bytes: Uint8Array): Bytes {
  return bytes.byteLength === bytes.buffer.byteLength ? (bytes as Bytes) : new Uint8Array(bytes)
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
