/** A seeded random number generator. */
export interface Random {
  /** A whole number from 0 to `end` − 1. */
  below(end: number): number
  /** True in this share of all calls. */
  chance(share: number): boolean
  pick<T>(choices: readonly [T, ...T[]] | readonly T[]): T
  /** Picks by weight. */
  weigh<T>(choices: readonly (readonly [weight: number, choice: T])[]): T
}

/** @see https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32 */
export function createRandom(...seeds: readonly number[]): Random {
  let state = seeds.reduce((mixed, seed) => mix(mixed ^ seed), 0x9e3779b9)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    return mix(state) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  return {
    below,
    chance: (share) => next() < share,
    pick<T>(choices: readonly T[]): T {
      if (choices.length === 0) throw new Error('There is nothing to pick from.')
      return choices[below(choices.length)] as T
    },
    weigh<T>(choices: readonly (readonly [number, T])[]): T {
      let rest = next() * choices.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, choice] of choices) {
        rest -= weight
        if (rest < 0) return choice
      }
      throw new Error('There is nothing to pick from.')
    },
  }
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 15), value | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return (mixed ^ (mixed >>> 14)) >>> 0
}
