import { createContext } from 'preact'

/** Whether the page is being printed. Scrollable lists are then shown in full. */
export const PrintContext = createContext(false)

/** Calls `draw` before and after printing; it must render synchronously. Returns a function that unsubscribes. */
export function followPrinting(draw: (isPrinting: boolean) => void): () => void {
  const ending = new AbortController()
  const { signal } = ending
  addEventListener('beforeprint', () => draw(true), { signal })
  addEventListener('afterprint', () => draw(false), { signal })
  return () => ending.abort()
}
