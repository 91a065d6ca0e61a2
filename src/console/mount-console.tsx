import { render } from 'preact'
import { type ConsoleOptions, createConsole } from './state/create-console.ts'
import { App } from './views/app.tsx'
import { ConsoleContext } from './views/hooks.ts'

/**
 * Renders the console into an element. The page only needs `console.css`.
 * @returns A function that removes the console and cancels its requests.
 * @example
 * const unmount = mountConsole(document.body, { origin: location.origin })
 */
export function mountConsole(element: Element, options: ConsoleOptions = {}): () => void {
  const page = createConsole(options)
  render(
    <ConsoleContext.Provider value={page}>
      <App />
    </ConsoleContext.Provider>,
    element,
  )
  return () => {
    render(null, element)
    page.stop()
  }
}
