import { useEffect, useRef, useState } from 'preact/hooks'
import type { Notice } from '../state/console-state.ts'
import { useSelect } from './hooks.ts'

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
        <div class={notice.isError ? 'tools notice notice-bad' : 'tools notice'}>
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
