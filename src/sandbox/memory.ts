import type { Bytes } from '../http/bytes.ts'
import type { Exchange } from './journal-entry.ts'

/** The memory limit that the journals of all sandboxes share, in bytes. */
export const JOURNALS_LIMIT: number = 64 * 1024 ** 2
/** The memory limit that the states of all sandboxes share, in bytes. The mock's seed does not count. */
export const STATES_LIMIT: number = 1024 ** 3
/** The measured size of a loaded pet with its part of the serialized list, in bytes. */
export const LOADED_PET_BYTES = 256

/** Above the limit, memory is freed down to this share, so that freeing is rare. */
const SHARE_KEPT = 0.9
/** One journal's share of the limit. Neither the default journal nor the current one is dropped, so both must fit. */
const LARGEST_SHARE = 0.5
/** The measured size of an exchange without its headers and bodies, in bytes. */
const EXCHANGE_BYTES = 768
/** In bytes. Only lists have pieces of this size or more, and many responses share them. */
const LIST_PIECE_BYTES = 1024

/** Adds to the bytes in use; negative when memory is freed. */
export type Spend = (bytes: number) => void

/** @param makeRoom Called above the limit. Frees memory until `isEnough()`. */
export function createMemoryLimit(limit: number, makeRoom: (isEnough: () => boolean) => void): Spend {
  let held = 0
  return (bytes) => {
    held += bytes
    if (bytes > 0 && held > limit) makeRoom(() => held <= limit * SHARE_KEPT)
  }
}

/** Counts the memory of all journals of a mock. */
export interface JournalMemory {
  /** The limit for one journal, in bytes. */
  readonly largestJournal: number
  /** The memory that an exchange adds, in bytes. A piece of a list is counted only once. */
  weigh(exchange: Pick<Exchange, 'request' | 'body' | 'answer'>): number
  readonly spend: Spend
}

export function createJournalMemory(limit: number, makeRoom: (isEnough: () => boolean) => void): JournalMemory {
  const lists = new WeakSet<Bytes>()
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
    spend: createMemoryLimit(limit, makeRoom),
  }
}
