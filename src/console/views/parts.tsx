export const STATUSES = ['available', 'pending', 'sold'] as const

/** A status as text, with its own colour and shape. */
export function StatusMark({ status }: { status: string }) {
  return (
    <span class={`status status-${status}`}>
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        <path d={SHAPES[status] ?? SHAPES['available']} fill="currentColor" />
      </svg>
      <span class="word">{status}</span>
    </span>
  )
}

/** A disc, a diamond, a square. */
const SHAPES: Readonly<Record<string, string>> = {
  available: 'M5 .5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z',
  pending: 'M5 0l5 5l-5 5l-5-5z',
  sold: 'M1 1h8v8h-8z',
}

interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  readonly onToggle: () => void
}

/** An on/off switch. */
export function Switch({ label, isOn, onToggle }: SwitchProps) {
  return (
    <button type="button" class="switch" role="switch" aria-checked={isOn} onClick={onToggle}>
      <span class="switch-track" aria-hidden="true" />
      <span>{label}</span>
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
