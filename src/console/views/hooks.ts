import { createContext, type RefObject } from 'preact'
import { useContext, useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Exchange } from '../api/model.ts'
import type { ConsoleState, Store } from '../state/console-state.ts'
import type { Console } from '../state/create-console.ts'

export const ConsoleContext = createContext<Console | undefined>(undefined)

export function useConsole(): Console {
  const console = useContext(ConsoleContext)
  if (console === undefined) throw new Error('There is no console around this view.')
  return console
}

/** Selects a part of the console's state, and re-renders when it changes. */
export function useSelect<T>(select: (state: ConsoleState) => T): T {
  return useStore(useConsole().store, select)
}

export function useStore<State, T>(store: Store<State>, select: (state: State) => T): T {
  const [value, setValue] = useState(() => select(store.state))
  useLayoutEffect(() => {
    const look = (): void => setValue(() => select(store.state))
    look()
    return store.subscribe(look)
  }, [store])
  return value
}

/** An exchange with its bodies; `undefined` until they are loaded. */
export function useExchange(id: number | undefined): Exchange | undefined {
  const { actions } = useConsole()
  const [exchange, setExchange] = useState<Exchange>()
  useEffect(() => {
    let isCurrent = true
    if (id !== undefined) void actions.readExchange(id).then((read) => isCurrent && setExchange(read))
    return () => {
      isCurrent = false
    }
  }, [id])
  return exchange?.id === id ? exchange : undefined
}

type Box = RefObject<HTMLElement | null>

/** Tracks the height of an element without its scroll bars, in CSS pixels. A hidden element has none. */
function useHeight(ref: Box): number {
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const measure = (): void => setHeight(element.clientHeight)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return height
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

/**
 * Returns which rows of a long list are visible in a scrolling element.
 * @param head The row of headings.
 */
export function useRows(ref: Box, { count, head }: { count: number; head: Box }): RowWindow {
  const height = useHeight(ref)
  const headHeight = useHeight(head)
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
