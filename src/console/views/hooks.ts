import { createContext, type RefObject } from 'preact'
import { useContext, useLayoutEffect, useState } from 'preact/hooks'
import type { ConsoleState } from '../state/console-state.ts'
import type { Console } from '../state/create-console.ts'

export const ConsoleContext = createContext<Console | undefined>(undefined)

export function useConsole(): Console {
  const console = useContext(ConsoleContext)
  if (console === undefined) throw new Error('There is no console around this view.')
  return console
}

/** Selects a part of the state, and re-renders when it changes. */
export function useSelect<T>(select: (state: ConsoleState) => T): T {
  const { store } = useConsole()
  const [value, setValue] = useState(() => select(store.state))
  useLayoutEffect(() => {
    const look = (): void => setValue(() => select(store.state))
    look()
    return store.subscribe(look)
  }, [store])
  return value
}

export interface Size {
  readonly width: number
  readonly height: number
}

const NONE: Size = { width: 0, height: 0 }

/** Tracks the size of an element without its scroll bars, in CSS pixels. A hidden element has no size. */
export function useSize(ref: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState(NONE)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = element
      setSize((old) => (old.width === width && old.height === height ? old : { width, height }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return size
}

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
