import type { StockColumn } from '../state/stock-columns.ts'
import { toFitting } from './to-compact.ts'

/** In sixteenths of a rem: the widest bar, the narrowest slot with labels, and the width of a label's character. */
const WIDEST = 44
const ROOM_FOR_LABELS = 30
const CHARACTER = 7

interface StockBarsProps {
  readonly columns: readonly StockColumn[]
  readonly slot: number
  /** A sixteenth of a rem, in CSS pixels. */
  readonly unit: number
  readonly toX: (index: number) => number
  readonly toY: (value: number) => number
}

/** The bars of the chart: one path per status, because there may be many bars. */
export function StockBars({ columns, slot, unit, toX, toY }: StockBarsProps) {
  const width = slot >= 4 ? Math.min(WIDEST * unit, slot * 0.72) : slot
  const paths = new Map<string, string>()
  const draw = (name: string, path: string): void => void paths.set(name, (paths.get(name) ?? '') + path)
  for (const [index, { status, low, high }] of columns.entries()) {
    const x = toX(index) + (slot - width) / 2
    // The part that all pets of a column have in common is solid; the range beyond it is light.
    const common = low > 0 ? low : high < 0 ? high : 0
    if (common !== 0) draw(`bar bar-${status}`, toRect(x, width, [toY(0), toY(common)]))
    if (high > Math.max(common, 0))
      draw(`bar bar-range bar-${status}`, toRect(x, width, [toY(Math.max(common, 0)), toY(high)]))
    if (low < Math.min(common, 0))
      draw(`bar bar-range bar-${status}`, toRect(x, width, [toY(Math.min(common, 0)), toY(low)]))
    if (low === 0 && high === 0) draw(`bar bar-${status}`, `M${x} ${toY(0) - 1}h${width}v2h${-width}z`)
  }
  return (
    <>
      {Array.from(paths, ([name, path]) => (
        <path key={name} class={name} d={path} />
      ))}
      {slot >= ROOM_FOR_LABELS * unit && <BarLabels columns={columns} slot={slot} unit={unit} toX={toX} toY={toY} />}
    </>
  )
}

/** A stock other than zero is always visible, even if it is less than a pixel high. */
function toRect(x: number, width: number, [from, to]: readonly [number, number]): string {
  const height = from - to
  const seen = Math.abs(height) < 1 ? Math.sign(height || 1) : height
  return `M${x.toFixed(2)} ${from.toFixed(2)}h${width.toFixed(2)}v${(-seen).toFixed(2)}h${(-width).toFixed(2)}z`
}

function BarLabels({ columns, slot, unit, toX, toY }: StockBarsProps) {
  const room = Math.floor(slot / (CHARACTER * unit))
  return (
    <g>
      {columns.map(({ pets: [pet] }, index) => {
        if (pet === undefined) return null
        const x = toX(index) + slot / 2
        const isBelow = pet.quantity < 0
        return (
          <g key={pet.petId} text-anchor="middle">
            <text class="bar-value" x={x} y={toY(pet.quantity)} dy={isBelow ? '1.1em' : '-0.45em'}>
              {toFitting(pet.quantity, room)}
            </text>
            <text class="bar-id" x={x} y={toY(0)} dy={isBelow ? '-0.5em' : '1.35em'}>
              {toEnd(pet.petId, room)}
            </text>
          </g>
        )
      })}
    </g>
  )
}

/** Keeps the end of a long id, because that is where ids differ. */
function toEnd(petId: string, room: number): string {
  return petId.length <= room ? petId : `…${petId.slice(1 - room)}`
}
