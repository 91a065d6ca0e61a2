import fc from 'fast-check'

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

/** Evenly spread; `fc.double` draws mostly numbers next to 0. */
const NUMBER = () => fc.noBias(fc.integer({ min: 0, max: 2 ** 32 - 1 }))

export function createRandom(...seeds: readonly number[]): Random {
  const seed = seeds.reduce((mixed, each) => Math.imul(mixed, 0x9e3779b1) ^ each, 1)
  const [draw] = fc.sample(fc.gen(), { seed, numRuns: 1 })
  if (draw === undefined) throw new Error('There is nothing to draw with.')
  const next = (): number => draw(NUMBER) / 2 ** 32
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
