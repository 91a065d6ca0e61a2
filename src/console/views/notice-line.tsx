import { useEffect, useState } from 'preact/hooks'
import type { Notice } from '../state/console-state.ts'
import { useSelect } from './use-console.ts'

/** How long good news stays in view, in milliseconds. Bad news stays until it is sent away. */
const SHOWN_MS = 5000

/** Says what was done last. */
export function NoticeLine() {
  const notice = useSelect((state) => state.notice)
  const [gone, setGone] = useState<Notice>()
  useEffect(() => {
    if (notice === undefined || notice.isError) return
    const timer = setTimeout(() => setGone(notice), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [notice])
  const isShown = notice !== undefined && notice !== gone
  return (
    <div class="notices" role={notice?.isError ? 'alert' : 'status'}>
      {isShown && (
        <p class={notice.isError ? 'notice notice-bad' : 'notice'}>
          <span>{notice.text}</span>
          {notice.isError && (
            <button type="button" class="small" onClick={() => setGone(notice)}>
              Dismiss
            </button>
          )}
        </p>
      )}
    </div>
  )
}
