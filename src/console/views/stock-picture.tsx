import { useMemo, useRef, useState } from 'preact/hooks'
import type { ListedPet } from '../state/pet-list.ts'
import { toStockColumns } from '../state/stock-columns.ts'
import { toScale } from '../state/to-scale.ts'
import { ScaleLines } from './scale-lines.tsx'
import { STATUSES } from './status-mark.tsx'
import { StockBars } from './stock-bars.tsx'
import { toCompact } from './to-compact.ts'
import { useSize } from './use-size.ts'

/** In CSS pixels: the picture, and the room beside it for the scale. */
const HEIGHT = 190
const EDGE = { left: 44, right: 4, top: 18, bottom: 22 }
const NARROWEST_OWN = 4
const NARROWEST_SHARED = 2

/** Stock per pet. The table says the same in words, so that for screen readers a summary will do. */
export function StockPicture({ rows, onPick }: { rows: readonly ListedPet[]; onPick: (petId: string) => void }) {
  const frame = useRef<HTMLElement>(null)
  const { width } = useSize(frame)
  const [pointed, setPointed] = useState<number>()
  const inner = Math.max(0, width - EDGE.left - EDGE.right)
  const { columns, petsPerColumn } = useMemo(
    () => toStockColumns(rows, { each: inner / NARROWEST_OWN, shared: Math.max(1, inner / NARROWEST_SHARED) }),
    [rows, inner],
  )
  const scale = useMemo(() => {
    const lows = columns.map(({ low }) => low)
    const highs = columns.map(({ high }) => high)
    return toScale(Math.min(0, ...lows), Math.max(0, ...highs))
  }, [columns])

  const slot = inner / Math.max(1, columns.length)
  const toY = (value: number): number =>
    EDGE.top + ((scale.max - value) / (scale.max - scale.min)) * (HEIGHT - EDGE.top - EDGE.bottom)
  const toX = (index: number): number => EDGE.left + index * slot
  const indexAt = (event: PointerEvent | MouseEvent): number | undefined => {
    const index = Math.floor((event.offsetX - EDGE.left) / slot)
    return columns[index] === undefined ? undefined : index
  }
  const column = pointed === undefined ? undefined : columns[pointed]

  return (
    <figure class="picture" ref={frame} hidden={rows.length === 0}>
      {width > 0 && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has the table, where every pet can be reached
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={toSummary(rows)}
          onPointerMove={(event) => setPointed(indexAt(event))}
          onPointerLeave={() => setPointed(undefined)}
          onClick={(event) => {
            const pet = columns[indexAt(event) ?? -1]?.pets[0]
            if (pet !== undefined) onPick(pet.petId)
          }}
        >
          <ScaleLines scale={scale} toY={toY} left={EDGE.left} right={width - EDGE.right} />
          {pointed !== undefined && column !== undefined && (
            <rect class="pointed" x={toX(pointed)} y={EDGE.top} width={slot} height={HEIGHT - EDGE.top - EDGE.bottom} />
          )}
          <StockBars columns={columns} slot={slot} toX={toX} toY={toY} />
        </svg>
      )}
      <figcaption>{column === undefined ? toCaption(petsPerColumn) : toReading(column.pets)}</figcaption>
    </figure>
  )
}

function toCaption(petsPerColumn: number): string {
  if (petsPerColumn === 1) return 'Stock per pet, in the order of the table'
  return `Ranked by status and stock; a column stands for up to ${petsPerColumn} pets, from the lowest to the highest of them`
}

function toReading(pets: readonly ListedPet[]): string {
  const [first, last] = [pets[0], pets.at(-1)]
  if (first === undefined || last === undefined) return ''
  if (pets.length === 1) return `Pet ${first.petId}: ${first.quantity.toLocaleString('en')} in stock, ${first.status}`
  const [low, high] = [last.quantity.toLocaleString('en'), first.quantity.toLocaleString('en')]
  return `${pets.length} pets, ${first.status}: ${low === high ? low : `${low} to ${high}`} in stock each`
}

function toSummary(rows: readonly ListedPet[]): string {
  const parts = STATUSES.map((status) => {
    const pets = rows.filter((pet) => pet.status === status)
    const stock = pets.reduce((sum, { quantity }) => sum + quantity, 0)
    return `${pets.length} ${status} with ${toCompact(stock)} in stock`
  })
  return `Stock per pet: ${parts.join(', ')}.`
}
