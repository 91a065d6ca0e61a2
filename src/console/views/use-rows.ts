import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { useSize } from './use-size.ts'

/** Rows rendered beyond the edges, so that scrolling shows no gap. */
const OVERSCAN = 8

interface RowWindow {
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** In CSS pixels, measured on the headings, which grow with the user's font size. */
  readonly rowHeight: number
}

interface RowsOptions {
  readonly count: number
  /** The row of headings. */
  readonly head: RefObject<HTMLElement | null>
}

/** Returns which rows of a long list are visible in a scrolling element. */
export function useRows(ref: RefObject<HTMLElement | null>, { count, head }: RowsOptions): RowWindow {
  const { height } = useSize(ref)
  const { height: headHeight } = useSize(head)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const look = (): void => setTop(element.scrollTop)
    look()
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [ref, count])
  // Before the first layout, the height is 0.
  const rowHeight = Math.max(1, headHeight)
  const first = Math.floor(top / rowHeight)
  return {
    start: Math.max(0, Math.min(first, count) - OVERSCAN),
    end: Math.min(count, first + Math.ceil(height / rowHeight) + OVERSCAN),
    rowHeight,
  }
}
