import type { Failure } from '../state/demo-state.ts'

/** Replaces the console if the mock cannot run. */
export function DemoFailure({ failure: { reason, detail } }: { failure: Failure }) {
  return (
    <main class="demo-failure">
      <h1>The demo cannot run here</h1>
      <p role="alert">{reason}</p>
      <button type="button" class="primary" onClick={() => location.reload()}>
        Try again
      </button>
      <details class="more">
        <summary>Error message</summary>
        <p class="note">{detail}</p>
      </details>
    </main>
  )
}
