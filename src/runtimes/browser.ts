import type { Mock } from '../mock.ts'
import { assertPage } from './browser/assert-page.ts'
import { enterPage } from './browser/page-ticket.ts'
import { parseWorkerOptions, type WorkerOptions } from './browser/worker-options.ts'

export type { UnhandledRequest, WorkerOptions } from './browser/worker-options.ts'

/** A worker that answers this page. */
export interface RunningWorker extends AsyncDisposable {
  /** Gives the page its network back, once the requests under way are answered. More than one call does no harm. */
  stop(): Promise<void>
}

/**
 * Answers this page's requests out of the mock, in a service worker of the page: those of `fetch`, of XMLHttpRequest,
 * and of whatever else the page loads. Without a `baseUrl` it answers `/v1` and all below on every origin. Resolves
 * when a request of the page has come through the worker and back.
 *
 * The state is the page's: it begins anew when the page is loaded again. One mock at a time answers a page.
 * @throws {MockError} `WORKER_START` with the reason and what to do; `INVALID_OPTION` for an option.
 * @example
 * const worker = await startWorker(createMock())
 * await fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
 * await worker.stop()
 */
export async function startWorker(mock: Pick<Mock, 'handlers'>, options: WorkerOptions = {}): Promise<RunningWorker> {
  assertPage()
  const settings = parseWorkerOptions(options, { href: location.href.replace(/#.*/s, ''), baseUrl: document.baseURI })
  const ticket = await enterPage(navigator.serviceWorker)
  try {
    const { startInPage } = await import('./browser/start-in-page.ts')
    const stopMsw = await startInPage(mock.handlers, settings)
    const stop = (): Promise<void> => ticket.leave(stopMsw)
    return { stop, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await ticket.leave(async () => {})
    throw error
  }
}
