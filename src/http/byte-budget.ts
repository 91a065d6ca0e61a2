/** A limit on the total number of bytes that several consumers hold at the same time. */
export class ByteBudget {
  readonly limit: number
  #taken = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Reserves bytes. Returns false, and reserves none, when the budget has too few left. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.limit) return false
    this.#taken += bytes
    return true
  }

  /** Returns reserved bytes to the budget. */
  give(bytes: number): void {
    this.#taken -= bytes
  }
}
