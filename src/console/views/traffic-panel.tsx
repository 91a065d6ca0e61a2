import { useEffect, useRef, useState } from 'preact/hooks'
import { type Fate, QUIET, type SecondOfTraffic, TRAFFIC_SECONDS } from '../state/journal.ts'
import { useSelect, useSize } from './hooks.ts'
import { toClock } from './parts.tsx'
import { FATES, TrafficBars } from './traffic-bars.tsx'

/** Requests and errors of the last minute, with one bar per second. */
export function TrafficPanel() {
  const frame = useRef<HTMLDivElement>(null)
  const size = useSize(frame)
  const traffic = useSelect((state) => state.traffic)
  const now = useSecond()
  const seconds = Array.from(
    { length: TRAFFIC_SECONDS },
    (_, index) => traffic.seconds.get(now - TRAFFIC_SECONDS + 1 + index) ?? QUIET,
  )
  const sums = toSums(seconds)
  return (
    <section class="panel traffic" aria-labelledby="traffic-title">
      <div class="panel-head">
        <h2 id="traffic-title">Last minute</h2>
        <Legend sums={sums} />
      </div>
      <div class="picture-frame traffic-frame" ref={frame}>
        {size.width > 0 && <TrafficBars seconds={seconds} size={size} label={toSummary(sums)} />}
      </div>
      {traffic.since > (now - TRAFFIC_SECONDS) * 1000 && (
        <p class="note">
          Counted since {toClock(new Date(traffic.since).toISOString())}: the journal no longer has older requests.
        </p>
      )}
    </section>
  )
}

function Legend({ sums }: { sums: SecondOfTraffic }) {
  const labels: Readonly<Record<Fate, string>> = {
    answered: 'answered',
    refused: 'refused, 4xx',
    failed: 'failed, 5xx or no response',
  }
  return (
    <ul class="legend">
      {FATES.map((fate) => (
        <li key={fate}>
          <svg class={`swatch swatch-${fate}`} viewBox="0 0 10 10" aria-hidden="true">
            <rect width="10" height="10" rx="2" />
          </svg>{' '}
          <b>{sums[fate]}</b> {labels[fate]}
        </li>
      ))}
    </ul>
  )
}

/** The current second, counted from 1970. */
function useSecond(): number {
  const read = (): number => Math.floor(Date.now() / 1000)
  const [second, setSecond] = useState(read)
  useEffect(() => {
    const timer = setInterval(() => setSecond(read), 500)
    return () => clearInterval(timer)
  }, [])
  return second
}

function toSums(seconds: readonly SecondOfTraffic[]): SecondOfTraffic {
  const sum = (fate: Fate): number => seconds.reduce((total, second) => total + second[fate], 0)
  return { answered: sum('answered'), refused: sum('refused'), failed: sum('failed') }
}

function toSummary({ answered, refused, failed }: SecondOfTraffic): string {
  return `Requests per second over the last minute: ${answered} answered, ${refused} refused, ${failed} failed.`
}
