import type { ListedPet } from './pets.ts'

/** One column of the chart: a single pet, or several of the same status with similar stock. */
export interface StockColumn {
  readonly status: string
  readonly pets: readonly ListedPet[]
  readonly low: number
  readonly high: number
}

interface StockColumns {
  readonly columns: readonly StockColumn[]
  /** The maximum number of pets in a column. */
  readonly petsPerColumn: number
}

const STATUS_ORDER = ['available', 'pending', 'sold']

/**
 * One column per pet, in the order of the table, as long as there is room. With more pets, they are sorted by status and
 * then by stock, so that similar pets share a column. A column shows their lowest and highest stock, not an average.
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
