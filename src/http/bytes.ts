/** Bytes that nobody writes to: they are shared between answers. */
export type Bytes = Uint8Array<ArrayBuffer>

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

/** The pieces that hold the first `limit` bytes. The last of them reaches beyond where there is more. */
export function takePieces(pieces: readonly Bytes[], limit: number): readonly Bytes[] {
  let count = 0
  const end = pieces.findIndex((piece) => {
    count += piece.byteLength
    return count > limit
  })
  return end === -1 || end === pieces.length - 1 ? pieces : pieces.slice(0, end + 1)
}
