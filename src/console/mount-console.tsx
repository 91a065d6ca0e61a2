import { render } from 'preact'
import { DEFAULT_API_KEY, DEFAULT_SANDBOX } from './api/sandbox-key.ts'
import { createConsole } from './state/create-console.ts'
import type { CopyForm } from './state/reuse-request.ts'
import { App } from './views/app.tsx'
import { ConsoleContext } from './views/hooks.ts'

const DEFAULT_KEY_ADVICE = 'Enter a key that the mock was started with (--api-key).'

/** Options of the console. */
interface ConsoleOptions {
  /**
   * The URL below which `_mock/` and the service are: `location.origin` if a service worker answers them.
   * @default the parent of the page's folder
   */
  readonly origin?: string
  /**
   * The sandbox to open first.
   * @default the page's `?sandbox=`
   */
  readonly sandbox?: string
  /**
   * The format of copied requests: `fetch` for a mock inside the page, which no shell can reach.
   * @default 'curl'
   */
  readonly copyAs?: CopyForm
  /**
   * The page's title.
   * @default 'Stockroom'
   */
  readonly title?: string | undefined
  /**
   * The API key that the page uses until another one is entered. If demo-key is not valid, the field is empty.
   * @default 'demo-key'
   */
  readonly apiKey?: string | undefined
  /**
   * What to do if the service rejects the key, as a sentence.
   * @default 'Enter a key that the mock was started with (--api-key).'
   */
  readonly keyAdvice?: string | undefined
  /** A problem with the page's URL, shown until it is dismissed. */
  readonly problem?: string | undefined
  /** A fixture to load into the sandbox when the page opens, unless the URL has a problem. It can be undone. */
  readonly fixture?: string | undefined
}

/**
 * Renders the console into an element. The page only needs `console.css`.
 * @returns A function that removes the console and cancels its requests.
 * @example
 * const unmount = mountConsole(document.body, { origin: location.origin })
 */
export function mountConsole(element: Element, options: ConsoleOptions = {}): () => void {
  const { origin = '..', copyAs = 'curl', title = 'Stockroom', apiKey = DEFAULT_API_KEY } = options
  const { keyAdvice = DEFAULT_KEY_ADVICE, problem, fixture } = options
  const sandbox = options.sandbox ?? new URLSearchParams(location.search).get('sandbox') ?? DEFAULT_SANDBOX
  const root = new URL(origin, location.href)
  if (!root.pathname.endsWith('/')) root.pathname += '/'
  const page = createConsole({ root, sandbox, copyAs, title, apiKey, keyAdvice, problem, fixture })
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
