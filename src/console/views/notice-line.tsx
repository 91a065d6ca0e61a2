import { useEffect, useState } from 'preact/hooks'
import type { Actions } from '../state/actions.ts'
import { useConsole, useSelect } from './hooks.ts'

/** How long a notice is shown, in milliseconds. An error stays until it is dismissed. */
const SHOWN_MS = 6000
/** How long a notice with Undo is shown, in milliseconds. */
const UNDO_MS = 20_000

/** Shows the last action, with Undo if possible. */
export function NoticeLine() {
  const { actions } = useConsole()
  const notice = useSelect((state) => state.notice)
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    // A notice under the pointer or with the focus stays.
    if (notice === undefined || notice.isError || isHeld) return
    const timer = setTimeout(actions.dismiss, notice.undo === undefined ? SHOWN_MS : UNDO_MS)
    return () => clearTimeout(timer)
  }, [notice, isHeld])
  useUndoKey(actions)
  return (
    <div
      class="notices"
      role={notice?.isError ? 'alert' : 'status'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      {notice !== undefined && (
        <div class={notice.isError ? 'tools notice notice-bad' : 'tools notice'}>
          <p>{notice.text}</p>
          {notice.undo !== undefined && (
            <button type="button" class="small" title="Ctrl+Z" onClick={actions.undo}>
              Undo
            </button>
          )}
          {(notice.isError || notice.undo !== undefined) && (
            <button type="button" class="small" onClick={actions.dismiss}>
              Dismiss
            </button>
          )}
        </div>
      )}
    </div>
  )
}

/** Ctrl+Z or ⌘Z, with Shift to redo, except in text fields, where they undo typing. */
function useUndoKey({ undo, redo }: Pick<Actions, 'undo' | 'redo'>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.altKey
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
      if (!isUndo || isTyping) return
      event.preventDefault()
      void (event.shiftKey ? redo() : undo())
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
