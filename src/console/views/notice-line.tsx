import { useEffect, useState } from 'preact/hooks'
import { useConsole, useKeys, useSelect } from './hooks.ts'
import { Button } from './parts.tsx'

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
  // With Shift, it is made again.
  useKeys((event) => {
    if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.altKey) return
    event.preventDefault()
    void (event.shiftKey ? actions.redo() : actions.undo())
  })
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
          {notice.undo !== undefined && <Button text="Undo" class="small" title="Ctrl+Z" run={actions.undo} />}
          {(notice.isError || notice.undo !== undefined) && (
            <Button text="Dismiss" class="small" run={actions.dismiss} />
          )}
        </div>
      )}
    </div>
  )
}
