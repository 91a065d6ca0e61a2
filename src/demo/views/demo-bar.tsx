import { useLayoutEffect, useState } from 'preact/hooks'
import { Switch } from '../../console/views/switch.tsx'
import type { Demo } from '../state/create-demo.ts'
import type { DemoState } from '../state/demo-state.ts'
import { DemoFailure } from './demo-failure.tsx'
import { DemoProblems } from './demo-problems.tsx'

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
          <Switch label="Keep changes" isOn={isKept} onToggle={() => demo.setKept(!isKept)} />
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
