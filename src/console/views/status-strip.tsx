import { useEffect, useRef, useState } from 'preact/hooks'
import type { Connection, Notice } from '../state/console-state.ts'
import { describePresets, PRESETS, type Preset } from '../state/faults.ts'
import { useConsole, useSelect } from './hooks.ts'

/** The connection states without a problem to report. */
type Calm = Exclude<Connection, 'lost' | 'refused'>

const CONNECTIONS: Readonly<Record<Calm, string>> = {
  connecting: 'Connecting…',
  live: 'Live',
  locked: 'Locked',
}

/**
 * The connection state and active faults. The strip always reserves room for its longest text, so that nothing below it
 * shifts.
 */
export function StatusStrip() {
  const connection = useSelect((state) => state.connection)
  const faults = useSelect((state) => state.faults)
  const fault = describePresets(faults)
  const refusal = useSelect((state) => state.refusal)
  const problem = describeProblem(connection, refusal)
  const look = problem !== undefined ? 'strip strip-bad' : fault === undefined ? 'strip' : 'strip strip-warn'
  return (
    <section class={look} aria-label="State of the mock">
      <div class="strip-line" role="alert">
        {problem !== undefined && (
          <p>
            <strong>{problem.title}</strong> {problem.advice}
          </p>
        )}
      </div>
      <div class="strip-line" role="status">
        {problem === undefined && fault !== undefined && <FaultLine {...fault} />}
        {problem === undefined && fault === undefined && <ConnectionLine connection={connection as Calm} />}
      </div>
      {PRESETS.flatMap(toText).map((text) => (
        <div key={text} class="strip-line strip-room" data-text={text} />
      ))}
    </section>
  )
}

function describeProblem(
  connection: Connection,
  refusal: number,
): { readonly title: string; readonly advice: string } | undefined {
  const advice = 'What you see may be out of date.'
  if (connection === 'lost') return { title: 'Mock server unreachable. Reconnecting…', advice }
  if (connection !== 'refused') return undefined
  if (refusal !== 429) return { title: `The mock rejects live updates (${refusal}). Retrying…`, advice }
  return { title: 'Too many event streams are open. Retrying…', advice: 'Close another console or client.' }
}

/** The text that the strip may show for a preset. */
function toText({ fault }: Preset): string[] {
  const words = describePresets([{ id: 0, used: 0, ...fault }])
  return words === undefined ? [] : [`${words.title} ${words.effect}`]
}

function FaultLine({ title, effect }: { title: string; effect?: string }) {
  const { actions } = useConsole()
  return (
    <>
      <p>
        <strong>{title}</strong> {effect}
      </p>
      <button type="button" class="small" onClick={() => actions.switchPreset(undefined)}>
        Switch off
      </button>
    </>
  )
}

function ConnectionLine({ connection }: { connection: Calm }) {
  const { addresses } = useConsole()
  const health = useSelect((state) => state.health)
  return (
    <p class="mock">
      <span class={`connection connection-${connection}`}>{CONNECTIONS[connection]}</span>
      {health !== undefined && <span>petstore-mock {health.version}</span>}
      {health?.basePath !== undefined && <span>{addresses.toService(health.basePath).href}</span>}
    </p>
  )
}

/** How long a notice is shown, in milliseconds. An error stays until it is dismissed. */
const SHOWN_MS = 6000
/** How long a notice with Undo is shown, in milliseconds. */
const UNDO_MS = 20_000

/** Shows the last action, with Undo if possible. */
export function NoticeLine() {
  const notice = useSelect((state) => state.notice)
  const [gone, setGone] = useState<Notice>()
  const [isHeld, setHeld] = useState(false)
  const [undone, setUndone] = useState<Notice>()
  const isShown = notice !== undefined && notice !== gone
  useEffect(() => {
    // A notice under the pointer or with the focus stays.
    if (!isShown || notice.isError || isHeld) return
    const timer = setTimeout(() => setGone(notice), notice.undo === undefined ? SHOWN_MS : UNDO_MS)
    return () => clearTimeout(timer)
  }, [notice, isShown, isHeld])
  const undo = isShown && notice !== undone ? notice.undo : undefined
  const takeBack = (): void => {
    setUndone(notice)
    void undo?.()
  }
  useUndoKey(undo === undefined ? undefined : takeBack)
  return (
    <div
      class="notices"
      role={notice?.isError ? 'alert' : 'status'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      {isShown && (
        <div class={notice.isError ? 'notice notice-bad' : 'notice'}>
          <p>{notice.text}</p>
          {undo !== undefined && (
            <button type="button" class="small" title="Ctrl+Z" onClick={takeBack}>
              Undo
            </button>
          )}
          {(notice.isError || notice.undo !== undefined) && (
            <button type="button" class="small" onClick={() => setGone(notice)}>
              Dismiss
            </button>
          )}
        </div>
      )}
    </div>
  )
}

/** Ctrl+Z or ⌘Z, except in text fields, where they undo typing. */
function useUndoKey(takeBack: (() => void) | undefined): void {
  const latest = useRef(takeBack)
  latest.current = takeBack
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isUndo =
        event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
      if (!isUndo || isTyping || latest.current === undefined) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
