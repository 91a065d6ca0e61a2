/** Returns numbers in [0, 1). The same seed gives the same sequence on every machine. */
export type Random = () => number

/**
 * The mulberry32 generator: 32 bits of state and only integer arithmetic.
 * @param seed An integer. Only its low 32 bits are used.
 */
export function createRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
