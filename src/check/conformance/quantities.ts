import type { ListedPet } from './listed-pet.ts'

/** Inside the ranges that services usually accept, and unlikely in anybody's tests. */
export const FIRST_QUANTITY = 613

type Range = readonly [lowest: number, highest: number]

/** Ranges of quantities to try, because the specification shows none. The last one is that of the stock itself. */
export function listRanges(pets: readonly ListedPet[]): readonly Range[] {
  const inStock = pets.map(({ quantity }) => Number(quantity)).sort((one, other) => one - other)
  const [lowest = 0, highest = 0] = [inStock[0], inStock.at(-1)]
  return [
    [FIRST_QUANTITY, 999],
    [53, 99],
    [11, 19],
    [3, 9],
    [1, 2],
    [lowest, highest],
  ]
}

/** Returns the quantities of a range one by one, again and again, without those in stock as long as others are left. */
export function createQuantitySource(pets: readonly ListedPet[]): (...range: Range) => () => number {
  const taken = new Set(pets.map(({ quantity }) => quantity))
  return (lowest, highest) => {
    let quantity = lowest - 1
    const next = (): number => {
      quantity = quantity < highest ? quantity + 1 : lowest
      return quantity
    }
    return () => {
      const first = next()
      let found = first
      while (taken.has(String(found))) {
        found = next()
        if (found === first) return next()
      }
      return found
    }
  }
}
