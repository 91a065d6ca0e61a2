import type { PetList } from './pet-list.ts'

/** How many pets there are, in numbers that a look should show. */
export interface Tally {
  readonly byStatus: Readonly<Record<string, number>>
  /** With nothing left. */
  readonly empty: number
  readonly belowZero: number
}

export function toTally({ byId }: PetList): Tally {
  const byStatus: Record<string, number> = {}
  let [empty, belowZero] = [0, 0]
  for (const { status, quantity } of byId.values()) {
    byStatus[status] = (byStatus[status] ?? 0) + 1
    if (quantity === 0) empty += 1
    if (quantity < 0) belowZero += 1
  }
  return { byStatus, empty, belowZero }
}
