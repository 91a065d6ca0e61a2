import { useLayoutEffect } from 'preact/hooks'
import { useStore } from '../console/views/hooks.ts'
import { Button } from '../console/views/parts.tsx'
import type { PersistWarning } from '../runtimes/browser.ts'
import type { Demo, Failure } from './create-demo.ts'

interface DemoBarProps {
  readonly demo: Demo
  /** The console's element, disabled while the mock is unavailable. */
  readonly console: HTMLElement
}

/** The bar above the console. It says that this is a demo, and controls where its state is kept. */
export function DemoBar({ demo, console }: DemoBarProps) {
  const { phase, failure, isKept, isInMemory, notice, warnings } = useStore(demo.store, (state) => state)
  useLayoutEffect(() => {
    console.inert = phase === 'busy'
    console.hidden = phase === 'failed'
  }, [phase])
  if (failure !== undefined) return <DemoFailure failure={failure} />
  return (
    <>
      <section class="tools demo" aria-label="About this demo">
        <p class="demo-words">
          <strong>Demo.</strong> The service runs inside this page and needs no network.{' '}
          {isKept && !isInMemory
            ? 'Changes stay in this browser and are shared by its tabs.'
            : 'Changes are in this tab only and are lost when you reload it.'}
        </p>
        <div class="tools">
          <Button text="Keep changes" class="chip" aria-pressed={isKept} run={() => demo.setKept(!isKept)} />
          <Button text="Start again from the seed" class="small" run={() => demo.startAgain()} />
          <span class="hidden" role="status">
            {notice}
          </span>
        </div>
      </section>
      <DemoProblems demo={demo} warnings={warnings} />
    </>
  )
}

/** Replaces the console if the mock cannot run. */
function DemoFailure({ failure: { reason, detail } }: { failure: Failure }) {
  return (
    <main class="demo-failure">
      <h1>The demo cannot run here</h1>
      <p role="alert">{reason}</p>
      <Button text="Try again" class="primary" run={() => location.reload()} />
      <details class="more">
        <summary>Error message</summary>
        <p class="note">{detail}</p>
      </details>
    </main>
  )
}

/** Warnings about state that could not be stored or restored. */
function DemoProblems({ demo, warnings }: { demo: Demo; warnings: readonly PersistWarning[] }) {
  return (
    <section class="demo-problems" role="alert">
      {warnings.map((warning) => (
        <p key={warning.message} class="tools banner">
          <span>
            <strong>{PROBLEMS[warning.kind][0]}</strong> {PROBLEMS[warning.kind][1]} Reason: {warning.reason}.
          </span>
          <Button text="Dismiss" class="small" run={() => demo.dismiss(warning)} />
        </p>
      ))}
    </section>
  )
}

const PROBLEMS = {
  quarantined: [
    'The state of an earlier visit cannot be read.',
    'It was quarantined, and the demo starts from the seed.',
  ],
  'in-memory': ['Changes are no longer kept.', 'The demo still works, but changes are lost when you reload the page.'],
} as const
