import { createContext } from 'preact'

/** Whether the page is being printed: what only shows as far as one scrolls is then shown in full. */
export const PrintContext = createContext(false)

/** Calls `draw` before and after the page is printed; it has to be done when it returns. Returns the way to end it. */
export function followPrinting(draw: (isPrinting: boolean) => void): () => void {
  const ending = new AbortController()
  const { signal } = ending
  addEventListener('beforeprint', () => draw(true), { signal })
  addEventListener('afterprint', () => draw(false), { signal })
  return () => ending.abort()
}
