import { render } from 'preact'
import { DEFAULT_SANDBOX } from './api/sandbox-name.ts'
import type { CopyForm } from './state/copy-request.ts'
import { createConsole } from './state/create-console.ts'
import { App } from './views/app.tsx'
import { ConsoleContext } from './views/use-console.ts'
import { followPrinting, PrintContext } from './views/use-printing.ts'

/** Where the mock is, and how the console shows it. */
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
  /**
   * What a request is copied as: no shell reaches a mock that answers inside a page.
   * @default 'curl'
   */
  readonly copyAs?: CopyForm
}

/**
 * Shows the console in an element. Its page needs nothing but `console.css`.
 * @returns Removes the console and ends its requests.
 * @example
 * const unmount = mountConsole(document.body, { origin: location.origin })
 */
export function mountConsole(element: Element, options: ConsoleOptions = {}): () => void {
  const { origin = '..', copyAs = 'curl' } = options
  const sandbox = options.sandbox ?? new URLSearchParams(location.search).get('sandbox') ?? DEFAULT_SANDBOX
  const root = new URL(origin, location.href)
  if (!root.pathname.endsWith('/')) root.pathname += '/'
  const page = createConsole({ root, sandbox, copyAs })
  const draw = (isPrinting: boolean): void =>
    render(
      <ConsoleContext.Provider value={page}>
        <PrintContext.Provider value={isPrinting}>
          <App />
        </PrintContext.Provider>
      </ConsoleContext.Provider>,
      element,
    )
  const unfollow = followPrinting(draw)
  draw(false)
  return () => {
    unfollow()
    render(null, element)
    page.stop()
  }
}
