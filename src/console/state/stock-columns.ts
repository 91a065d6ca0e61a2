import type { ListedPet } from './pet-list.ts'

/** One column of the picture: a pet, or some of one status that lie close together. */
export interface StockColumn {
  readonly status: string
  readonly pets: readonly ListedPet[]
  readonly low: number
  readonly high: number
}

export interface StockColumns {
  readonly columns: readonly StockColumn[]
  /** How many pets a column stands for at most. */
  readonly petsPerColumn: number
}

const STATUS_ORDER = ['available', 'pending', 'sold']

/**
 * A column for every pet, in the order of the table, while there is room. Where there are more pets, they are ordered
 * by status and then by stock, so that those who share a column are alike, and it shows the highest and the lowest of
 * them: nothing is averaged away.
 */
export function toStockColumns(rows: readonly ListedPet[], room: { each: number; shared: number }): StockColumns {
  if (rows.length <= room.each) return { columns: rows.map((pet) => toColumn([pet])), petsPerColumn: 1 }
  const petsPerColumn = Math.ceil(rows.length / room.shared)
  const ranked = rows.toSorted((a, b) => toRank(a) - toRank(b) || b.quantity - a.quantity)
  const columns: StockColumn[] = []
  let group: ListedPet[] = []
  for (const pet of ranked) {
    if (group.length === petsPerColumn || (group[0] !== undefined && group[0].status !== pet.status)) {
      columns.push(toColumn(group))
      group = []
    }
    group.push(pet)
  }
  if (group.length > 0) columns.push(toColumn(group))
  return { columns, petsPerColumn }
}

function toColumn(pets: readonly ListedPet[]): StockColumn {
  const quantities = pets.map(({ quantity }) => quantity)
  return { status: pets[0]?.status ?? '', pets, low: Math.min(...quantities), high: Math.max(...quantities) }
}

function toRank({ status }: ListedPet): number {
  const rank = STATUS_ORDER.indexOf(status)
  return rank === -1 ? STATUS_ORDER.length : rank
}
