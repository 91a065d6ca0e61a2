import { createContext, type RefObject } from 'preact'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { JournalEntry } from '../api/model.ts'
import type { ConsoleState, Store } from '../state/console-state.ts'
import type { Console } from '../state/create-console.ts'

/** `mountConsole` provides it to every view. */
export const ConsoleContext = createContext({} as Console)

export const useConsole = (): Console => useContext(ConsoleContext)

/** Listens to the console's keys, except while one types. */
export function useKeys(press: (event: KeyboardEvent) => void): void {
  const { root } = useConsole()
  const latest = useRef(press)
  latest.current = press
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
      if (!isTyping) latest.current(event)
    }
    root.addEventListener('keydown', listen)
    return () => root.removeEventListener('keydown', listen)
  }, [root])
}

/** Selects a part of the console's state, and re-renders when it changes. */
export function useSelect<T>(select: (state: ConsoleState) => T): T {
  return useStore(useConsole().store, select)
}

/** The `tabIndex` of an element that scrolls: its own where everything in it is disabled. */
export function useScrollStop(): 0 | undefined {
  return useSelect(({ connection }) => (connection === 'lost' ? 0 : undefined))
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

/** An entry with its bodies; `undefined` until they are loaded. */
export function useEntry(id: number | undefined): JournalEntry | undefined {
  const { actions } = useConsole()
  const [entry, setEntry] = useState<JournalEntry>()
  useEffect(() => {
    let isCurrent = true
    if (id !== undefined) void actions.readEntry(id).then((read) => isCurrent && setEntry(read))
    return () => {
      isCurrent = false
    }
  }, [id])
  return entry?.id === id ? entry : undefined
}

type Box = RefObject<HTMLElement | null>

/** Rows rendered beyond the edges, so that scrolling shows no gap. */
const OVERSCAN = 8

/** Which rows of a long list are visible in a scrolling element. Its headings are as high as a row. */
export function useRows(ref: Box, { count, head }: { count: number; head: Box }) {
  const [{ top, height, rowHeight }, setSeen] = useState({ top: 0, height: 0, rowHeight: 1 })
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null || head.current === null) return
    const look = (): void => {
      const { scrollTop: top, clientHeight: height } = element
      // Before the first layout, and while it is hidden, the height is 0.
      setSeen({ top, height, rowHeight: Math.max(1, head.current?.clientHeight ?? 1) })
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    observer.observe(head.current)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [ref, count])
  const first = Math.floor(top / rowHeight)
  return {
    start: Math.max(0, Math.min(first, count) - OVERSCAN),
    end: Math.min(count, first + Math.ceil(height / rowHeight) + OVERSCAN),
    rowHeight,
  }
}
