import { useEffect, useRef, useState } from 'preact/hooks'
import { toScale } from '../state/to-scale.ts'
import { type Fate, QUIET, type SecondOfTraffic, TRAFFIC_SECONDS } from '../state/traffic.ts'
import { ScaleLines } from './scale-lines.tsx'
import { useSelect } from './use-console.ts'
import { useSize } from './use-size.ts'

const HEIGHT = 124
const EDGE = { left: 44, right: 4, top: 10, bottom: 20 }
/** From the bottom of a bar upwards. */
const FATES: readonly Fate[] = ['answered', 'refused', 'failed']

/** Requests and errors of the last minute, a bar for every second. */
export function TrafficPanel() {
  const frame = useRef<HTMLDivElement>(null)
  const { width } = useSize(frame)
  const traffic = useSelect((state) => state.traffic)
  const now = useSecond()
  const seconds = Array.from(
    { length: TRAFFIC_SECONDS },
    (_, index) => traffic.get(now - TRAFFIC_SECONDS + 1 + index) ?? QUIET,
  )
  const sums = toSums(seconds)
  return (
    <section class="panel traffic" aria-labelledby="traffic-title">
      <div class="panel-head">
        <h2 id="traffic-title">Last minute</h2>
        <Legend sums={sums} />
      </div>
      <div class="picture" ref={frame}>
        {width > 0 && <Bars seconds={seconds} width={width} label={toSummary(sums)} />}
      </div>
    </section>
  )
}

function Legend({ sums }: { sums: SecondOfTraffic }) {
  const labels: Readonly<Record<Fate, string>> = {
    answered: 'answered',
    refused: 'refused, 4xx',
    failed: 'failed, 5xx or none',
  }
  return (
    <ul class="legend">
      {FATES.map((fate) => (
        <li key={fate}>
          <i class={`swatch swatch-${fate}`} /> <b>{sums[fate]}</b> {labels[fate]}
        </li>
      ))}
    </ul>
  )
}

function Bars({ seconds, width, label }: { seconds: readonly SecondOfTraffic[]; width: number; label: string }) {
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

/** The present second, counted from 1970. */
function useSecond(): number {
  const read = (): number => Math.floor(Date.now() / 1000)
  const [second, setSecond] = useState(read)
  useEffect(() => {
    const timer = setInterval(() => setSecond(read), 500)
    return () => clearInterval(timer)
  }, [])
  return second
}

function toTotal({ answered, refused, failed }: SecondOfTraffic): number {
  return answered + refused + failed
}

function toSums(seconds: readonly SecondOfTraffic[]): SecondOfTraffic {
  const sum = (fate: Fate): number => seconds.reduce((total, second) => total + second[fate], 0)
  return { answered: sum('answered'), refused: sum('refused'), failed: sum('failed') }
}

function toSummary({ answered, refused, failed }: SecondOfTraffic): string {
  return `Requests per second over the last minute: ${answered} answered, ${refused} refused, ${failed} failed.`
}
