import type { Bytes } from '../http/bytes.ts'
import type { InventoryState } from '../store/inventory-state.ts'
import type { Seed } from '../store/seed.ts'
import type { Exchange } from './journal-entry.ts'

/** The memory limit that the journals of all sandboxes share, in bytes. */
export const JOURNALS_LIMIT: number = 64 * 1024 ** 2

/** Above the limit, memory is freed down to this share, so that freeing is rare. */
const SHARE_KEPT = 0.9
/** One journal's share of the limit. Neither the default journal nor the current one is dropped, so both must fit. */
const LARGEST_SHARE = 0.5
/** The measured size of an exchange without its headers and bodies, in bytes. */
const EXCHANGE_BYTES = 768
/** In bytes. Only lists have pieces of this size or more, and many responses share them. */
const LIST_PIECE_BYTES = 1024

/** Limits the memory of all journals of a mock. */
export interface JournalBudget {
  /** The limit for one journal, in bytes. */
  readonly largestJournal: number
  /** The memory that an exchange adds, in bytes. A piece of a list is counted only once. */
  weigh(exchange: Pick<Exchange, 'request' | 'body' | 'answer'>): number
  /** Adds to the memory in use; negative when memory is freed. */
  spend(bytes: number): void
}

/** @param makeRoom Called above the limit. Drops entries of journals until `isEnough()`. */
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

/** The memory limit that the states of all sandboxes share, in bytes. The mock's seed does not count. */
export const STATES_LIMIT: number = 1024 ** 3

/** The measured size of a seed's pet with its part of the serialized list, in bytes. */
const SEED_PET_BYTES = 256

interface StateBudgetOptions {
  readonly limit: number
  /** The seed of the mock, which does not count. */
  readonly getSeed: () => Seed
  /** Called above the limit. Frees memory of sandboxes until `isEnough()`. */
  readonly makeRoom: (isEnough: () => boolean) => void
}

/** Limits the memory of all states of a mock. */
export class StateBudget {
  readonly #options: StateBudgetOptions
  /** Counted once each, because sandboxes can share a seed. */
  readonly #seeds = new Map<Seed, { readonly weight: number; sandboxes: number }>()
  #held = 0

  constructor(options: StateBudgetOptions) {
    this.#options = options
  }

  /** Starts to count the state of a sandbox. */
  open(state: InventoryState): StateAccount {
    return new StateAccount(state, this)
  }

  spend(bytes: number): void {
    const { limit, makeRoom } = this.#options
    this.#held += bytes
    if (bytes > 0 && this.#held > limit) makeRoom(() => this.#held <= limit * SHARE_KEPT)
  }

  hold(seed: Seed): void {
    const known = this.#seeds.get(seed)
    if (known !== undefined) {
      known.sandboxes += 1
      return
    }
    const weight = seed === this.#options.getSeed() ? 0 : SEED_PET_BYTES * seed.pets.size
    this.#seeds.set(seed, { weight, sandboxes: 1 })
    this.spend(weight)
  }

  /** The counted size of a seed, in bytes. */
  weigh(seed: Seed): number {
    return this.#seeds.get(seed)?.weight ?? 0
  }

  release(seed: Seed): void {
    const known = this.#seeds.get(seed)
    if (known === undefined) return
    known.sandboxes -= 1
    if (known.sandboxes > 0) return
    this.#seeds.delete(seed)
    this.spend(-known.weight)
  }
}

/** The counted memory of one sandbox's state. */
export class StateAccount {
  readonly #state: InventoryState
  readonly #budget: StateBudget
  #seed: Seed | undefined
  #weight = 0
  #isOpen = true

  constructor(state: InventoryState, budget: StateBudget) {
    this.#state = state
    this.#budget = budget
  }

  /** Whether evicting the sandbox would free no memory. */
  get isEmpty(): boolean {
    return this.#weight === 0 && (this.#seed === undefined || this.#budget.weigh(this.#seed) === 0)
  }

  /** Counts the state again. Call it when the state may have grown. */
  update(): void {
    if (!this.#isOpen) return
    const { seed, weight } = this.#state
    if (seed !== this.#seed) this.#changeSeed(seed)
    if (weight === this.#weight) return
    const change = weight - this.#weight
    this.#weight = weight
    this.#budget.spend(change)
  }

  /** Frees what was counted. Call it when the sandbox is removed. */
  close(): void {
    this.#isOpen = false
    this.#budget.spend(-this.#weight)
    if (this.#seed !== undefined) this.#budget.release(this.#seed)
  }

  #changeSeed(seed: Seed): void {
    const before = this.#seed
    this.#seed = seed
    if (before !== undefined) this.#budget.release(before)
    this.#budget.hold(seed)
  }
}
