import { DEFAULT_BASE_URL } from '../http/base-url.ts'
import { type PersistWarning, type RunningWorker, startWorker } from '../runtimes/browser.ts'
import type { DemoData } from '../runtimes/shared/demo-data.ts'
import { createMock } from '../service/create-mock.ts'
import { type Mock, toService, withService } from '../service/mock.ts'

/**
 * A mock in the page's service worker, without the views.
 * @param folder The folder of the page and its files.
 */
export function createDemo(folder: URL, { id, apiKey, fixtures }: DemoData) {
  const mock = placeInFolder(createMock({ fixtures, apiKeys: [apiKey] }), folder)
  let worker: RunningWorker | undefined
  return {
    mock,
    /** Resolves to whether the page is of the newest build; otherwise it is loaded again. */
    async start(onPersistWarning: (warning: PersistWarning) => void): Promise<boolean> {
      const before = navigator.serviceWorker?.controller ?? null
      worker = await startWorker(mock, {
        workerUrl: new URL('worker.js', folder).href,
        // An origin can host several demos, and new data begins with a new state.
        persist: `demo ${folder.pathname} ${id}`.trimEnd(),
        // Whatever else the site's pages ask for is its own.
        onUnhandledRequest: 'bypass',
        onPersistWarning,
      })
      return isNewest(before)
    },
    /** Restores the seed in all tabs, and deletes quarantined state. */
    forget: () => worker?.forget(),
  }
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

/**
 * Mounts a mock in a folder of the page's origin, like a reverse proxy that strips a path prefix: the mock and its
 * journal see paths without the folder. The mock answers nothing else on the origin.
 * @param folder With a trailing slash.
 */
function placeInFolder(mock: Mock, folder: URL): Mock {
  const service = toService(mock)
  const controls: Mock = {
    ...mock,
    async fetch(input, init) {
      const request = new Request(input, init)
      const inner = toInner(new URL(request.url), folder)
      if (inner === undefined) throw new TypeError(`Failed to fetch: ${request.url} is outside ${folder.href}.`)
      const { method, headers, signal } = request
      // Firefox has no `Request.body`, so copying a `Request` would lose its body there.
      const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer()
      return mock.fetch(new Request(inner, { method, headers, signal, body }))
    },
  }
  return withService(controls, {
    ...service,
    bases: [{ origin: undefined, path: folder.pathname.slice(0, -1) + DEFAULT_BASE_URL }],
    covers(url) {
      const inner = toInner(url, folder)
      return inner !== undefined && service.covers(inner)
    },
  })
}

function toInner(url: URL, { origin, pathname }: URL): URL | undefined {
  if (url.origin !== origin || !url.pathname.startsWith(pathname)) return undefined
  const inner = new URL(url)
  inner.pathname = url.pathname.slice(pathname.length - 1)
  return inner
}
