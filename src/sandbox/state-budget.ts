import type { InventoryState } from '../store/inventory-state.ts'
import type { Seed } from '../store/seed.ts'

/** What the states of all sandboxes may hold beside the seed of the mock, in bytes. */
export const STATES_LIMIT: number = 1024 ** 3

/** What is left of the limit when room was made, so that room is made seldom. */
const SHARE_KEPT = 0.9
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
