import type { Bytes } from '../http/bytes.ts'
import type { InventoryState } from '../store/inventory-state.ts'
import type { Seed } from '../store/seed.ts'
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

/** What the states of all sandboxes may hold beside the seed of the mock, in bytes. */
export const STATES_LIMIT: number = 1024 ** 3

/** A pet of a seed with its place in the written list, in bytes: measured. */
const SEED_PET_BYTES = 256

export interface StateBudgetOptions {
  readonly limit: number
  /** The seed of the mock, which does not count. */
  readonly getSeed: () => Seed
  /** Called where too much is held. Has sandboxes give up what they hold until `isEnough`. */
  readonly makeRoom: (isEnough: () => boolean) => void
}

/** Watches over what the states of one mock hold. */
export class StateBudget {
  readonly #options: StateBudgetOptions
  /** Sandboxes can share a seed. */
  readonly #seeds = new Map<Seed, { readonly weight: number; sandboxes: number }>()
  #held = 0

  constructor(options: StateBudgetOptions) {
    this.#options = options
  }

  /** Counts the state of one more sandbox. */
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

  /** What is counted for a seed. */
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

/** What is counted for the state of one sandbox. */
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

  /** Whether there is anything to give up. */
  get isEmpty(): boolean {
    return this.#weight === 0 && (this.#seed === undefined || this.#budget.weigh(this.#seed) === 0)
  }

  /** Counts the state as it is now. To be called when it may have grown. */
  update(): void {
    if (!this.#isOpen) return
    const { seed, weight } = this.#state
    if (seed !== this.#seed) this.#changeSeed(seed)
    if (weight === this.#weight) return
    const change = weight - this.#weight
    this.#weight = weight
    this.#budget.spend(change)
  }

  /** The sandbox is forgotten. */
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
