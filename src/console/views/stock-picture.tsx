import { useMemo, useRef, useState } from 'preact/hooks'
import type { ListedPet } from '../state/pets.ts'
import { toStockColumns } from '../state/stock-columns.ts'
import { toScale } from '../state/to-scale.ts'
import { useSize } from './hooks.ts'
import { STATUSES } from './parts.tsx'
import { ScaleLines } from './scale-lines.tsx'
import { StockBars } from './stock-bars.tsx'
import { toCompact } from './to-compact.ts'

/** The height of the chart as in its style sheet, in sixteenths of a rem. It grows with the user's font size. */
const HEIGHT = 190
/** The margins of the chart. */
const EDGE = { left: 44, right: 4, top: 18, bottom: 22 }
const NARROWEST_OWN = 4
const NARROWEST_SHARED = 2

interface StockPictureProps {
  readonly rows: readonly ListedPet[]
  /** Whether the rows are still loading. */
  readonly isLoading: boolean
  readonly onPick: (petId: string) => void
}

/** The chart of stock per pet. Screen readers get a summary, because the table contains the same data. */
export function StockPicture({ rows, isLoading, onPick }: StockPictureProps) {
  const frame = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(frame)
  const unit = height / HEIGHT
  const [left, right, top, bottom] = [EDGE.left * unit, width - EDGE.right * unit, EDGE.top * unit, EDGE.bottom * unit]
  const [pointed, setPointed] = useState<number>()
  const inner = Math.max(0, right - left)
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
  const toY = (value: number): number => top + ((scale.max - value) / (scale.max - scale.min)) * (height - top - bottom)
  const toX = (index: number): number => left + index * slot
  const indexAt = (event: PointerEvent | MouseEvent): number | undefined => {
    const index = Math.floor((event.offsetX - left) / slot)
    return columns[index] === undefined ? undefined : index
  }
  const column = pointed === undefined ? undefined : columns[pointed]

  return (
    <figure class="picture" hidden={rows.length === 0 && !isLoading}>
      <div class="picture-frame stock-frame" ref={frame}>
        {width > 0 && rows.length > 0 && (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has the table, where every pet can be reached
          <svg
            width={width}
            height={height}
            role="img"
            aria-label={toSummary(rows)}
            onPointerMove={(event) => setPointed(indexAt(event))}
            onPointerLeave={() => setPointed(undefined)}
            onClick={(event) => {
              const pet = columns[indexAt(event) ?? -1]?.pets[0]
              if (pet !== undefined) onPick(pet.petId)
            }}
          >
            <ScaleLines scale={scale} toY={toY} left={left} right={right} />
            {pointed !== undefined && column !== undefined && (
              <rect class="pointed" x={toX(pointed)} y={top} width={slot} height={height - top - bottom} />
            )}
            <StockBars columns={columns} slot={slot} unit={unit} toX={toX} toY={toY} />
          </svg>
        )}
      </div>
      <figcaption>{column === undefined ? toCaption(petsPerColumn) : toReading(column.pets)}</figcaption>
    </figure>
  )
}

function toCaption(petsPerColumn: number): string {
  if (petsPerColumn === 1) return 'Stock per pet, in the order of the table'
  return `Ranked by status and stock. Each column shows the lowest and highest of up to ${petsPerColumn} pets`
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
