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
