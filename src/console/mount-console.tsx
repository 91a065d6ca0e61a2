import { render } from 'preact'
import { createConsole } from './state/create-console.ts'
import { App } from './views/app.tsx'
import { ConsoleContext } from './views/use-console.ts'

/** Where the double lies that the console shows. */
export interface ConsoleOptions {
  /**
   * The address below which both `_mock/` and the service lie: `location.origin` where a worker answers for them.
   * @default what the page's folder lies in
   */
  readonly origin?: string
  /**
   * The sandbox to begin with.
   * @default that of the page's `?sandbox=`
   */
  readonly sandbox?: string
}

const SANDBOX_NAME = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Shows the console in an element; it needs no more of its page than `console.css`.
 * @returns Takes it away, and ends its requests.
 * @example
 * const unmount = mountConsole(document.body, { origin: location.origin })
 */
export function mountConsole(element: Element, options: ConsoleOptions = {}): () => void {
  const { origin = '..', sandbox = new URLSearchParams(location.search).get('sandbox') ?? '' } = options
  const root = new URL(origin, location.href)
  if (!root.pathname.endsWith('/')) root.pathname += '/'
  const page = createConsole({ root, sandbox: SANDBOX_NAME.test(sandbox) ? sandbox : 'default' })
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
