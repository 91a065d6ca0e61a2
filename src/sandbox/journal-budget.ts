import type { Bytes } from '../http/bytes.ts'
import type { Exchange } from './journal-entry.ts'

/** What the journals of all sandboxes may hold together, in bytes. */
export const JOURNALS_LIMIT: number = 64 * 1024 ** 2

/** What is left of the limit when room was made, so that room is made seldom. */
const SHARE_KEPT = 0.9
/** The most that one journal may hold of the limit: the default one and the one that is being asked fit in together. */
const LARGEST_SHARE = 0.5
/** An exchange without its headers and bodies: measured, those with bodies in small buffers of their own. */
const EXCHANGE_BYTES = 768
/** Pieces of this size and more are those of lists, which many answers share. In bytes. */
const LIST_PIECE_BYTES = 1024

/** Watches over what the journals of one mock hold. */
export interface JournalBudget {
  /** What one journal may hold, in bytes. */
  readonly largestJournal: number
  /** What an exchange adds, in bytes. A piece of a list that another exchange holds already adds nothing. */
  weigh(exchange: Pick<Exchange, 'request' | 'body' | 'answer'>): number
  /** Takes note of bytes that are held from now on, or no longer. */
  spend(bytes: number): void
}

/** @param makeRoom Called where too much is held. Has journals give up what they hold until `isEnough`. */
export function createJournalBudget(limit: number, makeRoom: (isEnough: () => boolean) => void): JournalBudget {
  const lists = new WeakSet<Bytes>()
  let held = 0
  const weighPiece = (piece: Bytes): number => {
    if (piece.byteLength < LIST_PIECE_BYTES) return piece.byteLength
    if (lists.has(piece)) return 0
    lists.add(piece)
    return piece.byteLength
  }
  return {
    largestJournal: limit * LARGEST_SHARE,
    weigh({ request, body, answer }) {
      let bytes = EXCHANGE_BYTES + request.size + (body?.byteLength ?? 0)
      if (answer === undefined) return bytes
      for (const name in answer.headers) bytes += name.length + (answer.headers[name]?.length ?? 0)
      for (const piece of answer.body) bytes += weighPiece(piece)
      return bytes
    },
    spend(bytes) {
      held += bytes
      if (bytes > 0 && held > limit) makeRoom(() => held <= limit * SHARE_KEPT)
    },
  }
}
