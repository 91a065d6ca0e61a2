import type { Exchange } from '../api/model.ts'
import { toFate } from '../state/traffic.ts'

/** One exchange as a line. A click opens its details. */
export function ExchangeLine({ exchange, onOpen }: { exchange: Exchange; onOpen: () => void }) {
  const { request, answer, fault, duration, time, stability, isProxied, isStubbed } = exchange
  return (
    <button type="button" class="exchange" onClick={onOpen}>
      <time dateTime={time}>{toClock(time)}</time>
      <span class="method">{request.method}</span>
      <span class="path">
        <span class="path-text">{request.path}</span>
      </span>
      <span class={`answer answer-${toFate(exchange)}`}>{answer?.status ?? 'none'}</span>
      <span class="duration">{toDuration(duration)}</span>
      <span class="tags">
        {stability !== undefined && <span class="tag tag-quiet">{stability}</span>}
        {(isProxied ?? isStubbed) && <span class="tag tag-quiet">not specified</span>}
        {fault !== undefined && <span class="tag">fault {fault.id}</span>}
      </span>
    </button>
  )
}

/** The time of day in the user's time zone, to the second. */
export function toClock(time: string): string {
  return new Date(time).toLocaleTimeString('en-GB')
}

export function toDuration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 0.05) return '0 ms'
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`
}
