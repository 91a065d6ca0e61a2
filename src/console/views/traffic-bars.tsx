import { type Fate, type SecondOfTraffic, TRAFFIC_SECONDS } from '../state/journal.ts'
import { toScale } from '../state/to-scale.ts'
import type { Size } from './hooks.ts'
import { ScaleLines } from './scale-lines.tsx'

/** The height of the chart as in its style sheet, in sixteenths of a rem. It grows with the user's font size. */
const HEIGHT = 124
const EDGE = { left: 44, right: 4, top: 10, bottom: 20 }
/** The order of the segments in a bar, from bottom to top. */
export const FATES: readonly Fate[] = ['answered', 'refused', 'failed']

/** One bar per second, oldest first. */
export function TrafficBars({
  seconds,
  size: { width, height },
  label,
}: {
  seconds: readonly SecondOfTraffic[]
  size: Size
  label: string
}) {
  const unit = height / HEIGHT
  const [left, right, top, bottom] = [EDGE.left * unit, width - EDGE.right * unit, EDGE.top * unit, EDGE.bottom * unit]
  const scale = toScale(0, Math.max(...seconds.map(toTotal), 4), 2)
  const toY = (value: number): number => top + ((scale.max - value) / scale.max) * (height - top - bottom)
  const slot = (right - left) / seconds.length
  return (
    <svg width={width} height={height} role="img" aria-label={label}>
      <ScaleLines scale={scale} toY={toY} left={left} right={right} />
      <text class="tick-label" x={left} y={height - 4 * unit}>
        {TRAFFIC_SECONDS} s ago
      </text>
      <text class="tick-label" x={right} y={height - 4 * unit} text-anchor="end">
        now
      </text>
      {FATES.map((fate, order) => (
        <path
          key={fate}
          class={`swatch-${fate}`}
          d={seconds
            .map((second, index) => {
              const below = FATES.slice(0, order).reduce((sum, each) => sum + second[each], 0)
              if (second[fate] === 0) return ''
              const [bottom, top] = [toY(below), toY(below + second[fate])]
              const x = left + index * slot + slot * 0.1
              return `M${x.toFixed(2)} ${bottom.toFixed(2)}h${(slot * 0.8).toFixed(2)}V${top.toFixed(2)}h${(-slot * 0.8).toFixed(2)}z`
            })
            .join('')}
        />
      ))}
    </svg>
  )
}

function toTotal({ answered, refused, failed }: SecondOfTraffic): number {
  return answered + refused + failed
}
