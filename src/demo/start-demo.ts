import { DEFAULT_BASE_URL } from '../http/base-url.ts'
import { type PersistWarning, type RunningWorker, startWorker } from '../runtimes/browser.ts'
import type { DemoData } from '../runtimes/shared/demo-data.ts'
import { createMock } from '../service/create-mock.ts'

interface DemoOptions extends DemoData {
  /** The folder of the page and its files. */
  readonly folder: URL
  readonly onPersistWarning: (warning: PersistWarning) => void
}

/** Starts a mock in the page's service worker. Resolves to `undefined` if the page is of an older build and loads again. */
export async function startDemo(options: DemoOptions): Promise<RunningWorker | undefined> {
  const { folder, id, apiKey, fixtures, onPersistWarning } = options
  const before = navigator.serviceWorker?.controller ?? null
  const baseUrl = folder.pathname.slice(0, -1) + DEFAULT_BASE_URL
  const worker = await startWorker(createMock({ baseUrl, fixtures, apiKeys: [apiKey] }), {
    workerUrl: new URL('worker.js', folder).href,
    // An origin can host several demos, and new data begins with a new state.
    persist: `demo ${folder.pathname} ${id}`.trimEnd(),
    // Whatever else the site's pages ask for is its own.
    onUnhandledRequest: 'bypass',
    onPersistWarning,
  })
  return isNewest(before) ? worker : undefined
}

/**
 * Reloads the page when the worker of a newer build takes over, on startup or from another tab: the page belongs to the
 * older build, and a worker answers no page loaded before it. Returns whether the page is of the newest build.
 * @param before The worker that loaded the page, if any.
 */
function isNewest(before: ServiceWorker | null): boolean {
  const { serviceWorker } = navigator
  if (before !== null && before !== serviceWorker.controller) {
    location.reload()
    return false
  }
  serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  return true
}
