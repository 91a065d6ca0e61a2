import { createContext } from 'preact'
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
