import type { Scale } from '../state/to-scale.ts'
import { toCompact } from './to-compact.ts'

/** The gridlines of a scale with their values. The zero line stands out. */
export function ScaleLines(props: { scale: Scale; toY: (value: number) => number; left: number; right: number }) {
  const { scale, toY, left, right } = props
  return (
    <g>
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line class={tick === 0 ? 'zero' : 'tick'} x1={left} x2={right} y1={toY(tick)} y2={toY(tick)} />
          <text class="tick-label" x={left - 8} y={toY(tick)} dy="0.32em" text-anchor="end">
            {toCompact(tick)}
          </text>
        </g>
      ))}
    </g>
  )
}
