/** A source of numbers in [0, 1) that gives the same sequence for the same seed on every machine. */
export type Random = () => number

/**
 * The generator mulberry32: 32 bits of state, integer arithmetic only.
 * @param seed A whole number; its low 32 bits count.
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
