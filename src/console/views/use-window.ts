import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { useSize } from './use-size.ts'

/** Rows kept ready beyond the edges, so that scrolling shows no gap. */
const OVERSCAN = 8

export interface RowWindow {
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

/** Which rows of a long list lie in the view of an element that scrolls. */
export function useWindow(
  ref: RefObject<HTMLElement | null>,
  { count, rowHeight }: { count: number; rowHeight: number },
): RowWindow {
  const { height } = useSize(ref)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const look = (): void => setTop(element.scrollTop)
    look()
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [ref, count])
  const first = Math.floor(top / rowHeight)
  return {
    start: Math.max(0, Math.min(first, count) - OVERSCAN),
    end: Math.min(count, first + Math.ceil(height / rowHeight) + OVERSCAN),
  }
}
