/** In place of the console where the double cannot run. */
export function DemoFailure({ reason }: { reason: string }) {
  return (
    <main class="demo-failure">
      <h1>The demo cannot run here</h1>
      <p role="alert">{reason}</p>
      <button type="button" class="primary" onClick={() => location.reload()}>
        Try again
      </button>
    </main>
  )
}
