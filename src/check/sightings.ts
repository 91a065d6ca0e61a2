/** Statuses of a service, or of a gateway before it, that cannot respond now; 0 is none. */
export const UNAVAILABLE: readonly number[] = [0, 429, 502, 503, 504]

/** From which time on the slowest response is noted, in milliseconds. */
const SLOW_MS = 2000

/** What a run meets on the way that decides no case: requests that are sent again, and a slow response. */
export class Sightings {
  readonly #unavailable = new Map<string, number>()
  #requests = 0
  #slowest = { ms: 0, request: 0 }

  /** @param text Why there is no complete response, for status 0. */
  add({ status, text }: { readonly status: number; readonly text: string }, ms: number): void {
    this.#requests += 1
    const got = status === 0 ? `no complete response: ${text}` : `status ${status}`
    if (UNAVAILABLE.includes(status)) this.#unavailable.set(got, (this.#unavailable.get(got) ?? 0) + 1)
    else if (ms > this.#slowest.ms) this.#slowest = { ms, request: this.#requests }
  }

  /** Without full stops. */
  toSentences(): readonly string[] {
    const { ms, request } = this.#slowest
    const slow = `The slowest response took ${(ms / 1000).toFixed(1)} s: that to request ${request} of ${this.#requests}`
    const unavailable = Array.from(
      this.#unavailable,
      ([got, count]) => `${count} of ${this.#requests} requests got ${got}`,
    )
    return ms < SLOW_MS ? unavailable : [...unavailable, slow]
  }
}
