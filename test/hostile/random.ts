import { createRandom as createSequence } from '../../src/store/generate-fixture.ts'

/** Draws by a seed. */
export interface Random {
  /** A whole number from 0 to `end` − 1. */
  below(end: number): number
  /** True in this share of all calls. */
  chance(share: number): boolean
  pick<T>(choices: readonly [T, ...T[]] | readonly T[]): T
  /** Picks by weight. */
  weigh<T>(choices: readonly (readonly [weight: number, choice: T])[]): T
}

export function createRandom(...seeds: readonly number[]): Random {
  const next = createSequence(seeds.reduce((mixed, each) => Math.imul(mixed, 0x9e3779b1) ^ each, 1))
  const below = (end: number): number => Math.floor(next() * end)
  return {
    below,
    chance: (share) => next() < share,
    pick: (choices) => choices[below(choices.length)] as (typeof choices)[number],
    weigh(choices) {
      let rest = next() * choices.reduce((sum, [weight]) => sum + weight, 0)
      const drawn = choices.find(([weight]) => {
        rest -= weight
        return rest < 0
      })
      return (drawn ?? choices[0])?.[1] as (typeof choices)[number][1]
    },
  }
}
