/** Bytes that many share: whoever would go beyond the limit does not get them. */
export class ByteBudget {
  readonly limit: number
  #taken = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Takes bytes, or says that there are not so many left. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.limit) return false
    this.#taken += bytes
    return true
  }

  give(bytes: number): void {
    this.#taken -= bytes
  }
}
