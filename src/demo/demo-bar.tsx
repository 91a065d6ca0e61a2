import { useLayoutEffect, useState } from 'preact/hooks'
import { Toggle } from '../console/views/parts.tsx'
import type { PersistWarning } from '../runtimes/browser.ts'
import type { Demo, DemoState, Failure } from './create-demo.ts'

interface DemoBarProps {
  readonly demo: Demo
  /** The console's element, disabled while the mock is unavailable. */
  readonly console: HTMLElement
}

/** The bar above the console. It says that this is a demo, and controls where its state is kept. */
export function DemoBar({ demo, console }: DemoBarProps) {
  const { phase, failure, isKept, isInMemory, notice, warnings } = useDemo(demo)
  useLayoutEffect(() => {
    console.inert = phase === 'busy'
    console.hidden = phase === 'failed'
  }, [phase])
  if (failure !== undefined) return <DemoFailure failure={failure} />
  return (
    <>
      <section class="demo" aria-label="About this demo">
        <p class="demo-words">
          <strong>Demo.</strong> The service runs inside this page and needs no network.{' '}
          {isKept && !isInMemory
            ? 'Changes stay in this browser and are shared by its tabs.'
            : 'Changes are in this tab only and are lost when you reload it.'}
        </p>
        <div class="tools">
          <Toggle label="Keep changes" isOn={isKept} onToggle={() => demo.setKept(!isKept)} />
          <button type="button" class="small" onClick={() => demo.startAgain()}>
            Start again from the seed
          </button>
          <span class="hidden" role="status">
            {notice}
          </span>
        </div>
      </section>
      <DemoProblems warnings={warnings} onDismiss={demo.dismiss} />
    </>
  )
}

function useDemo({ store }: Demo): DemoState {
  const [state, setState] = useState(store.state)
  useLayoutEffect(() => {
    const look = (): void => setState(store.state)
    look()
    return store.subscribe(look)
  }, [store])
  return state
}

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

interface DemoProblemsProps {
  readonly warnings: readonly PersistWarning[]
  readonly onDismiss: (warning: PersistWarning) => void
}

/** Warnings about state that could not be stored or restored. */
export function DemoProblems({ warnings, onDismiss }: DemoProblemsProps) {
  return (
    <section class="demo-problems" role="alert">
      {warnings.map((warning) => (
        <p key={warning.message} class="banner">
          <span>
            <strong>{HEADLINES[warning.kind]}</strong> {EXPLANATIONS[warning.kind]} Reason: {warning.reason}.
          </span>
          <button type="button" class="small" onClick={() => onDismiss(warning)}>
            Dismiss
          </button>
        </p>
      ))}
    </section>
  )
}

const HEADLINES = {
  quarantined: 'The state of an earlier visit cannot be read.',
  'in-memory': 'Changes are no longer kept.',
} as const

const EXPLANATIONS = {
  quarantined: 'It was quarantined, and the demo starts from the seed.',
  'in-memory': 'The demo still works, but changes are lost when you reload the page.',
} as const
