import { toScale } from '../state/to-scale.ts'
import { type Fate, type SecondOfTraffic, TRAFFIC_SECONDS } from '../state/traffic.ts'
import { ScaleLines } from './scale-lines.tsx'

const HEIGHT = 124
const EDGE = { left: 44, right: 4, top: 10, bottom: 20 }
/** From the bottom of a bar upwards. */
export const FATES: readonly Fate[] = ['answered', 'refused', 'failed']

/** A bar for every second, the oldest first. */
export function TrafficBars({
  seconds,
  width,
  label,
}: {
  seconds: readonly SecondOfTraffic[]
  width: number
  label: string
}) {
  const scale = toScale(0, Math.max(...seconds.map(toTotal), 4), 2)
  const toY = (value: number): number =>
    EDGE.top + ((scale.max - value) / scale.max) * (HEIGHT - EDGE.top - EDGE.bottom)
  const slot = (width - EDGE.left - EDGE.right) / seconds.length
  return (
    <svg width={width} height={HEIGHT} role="img" aria-label={label}>
      <ScaleLines scale={scale} toY={toY} left={EDGE.left} right={width - EDGE.right} />
      <text class="tick-label" x={EDGE.left} y={HEIGHT - 4}>
        {TRAFFIC_SECONDS} s ago
      </text>
      <text class="tick-label" x={width - EDGE.right} y={HEIGHT - 4} text-anchor="end">
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
              const x = EDGE.left + index * slot + slot * 0.1
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
