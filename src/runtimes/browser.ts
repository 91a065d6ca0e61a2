import { ASYNC_DISPOSE } from '../http/async-dispose.ts'
import type { Mock } from '../service/mock.ts'
import { type MockService, toService } from '../service/mock-service.ts'
import { assertPage, assertServiceWorkers } from './browser/assert-page.ts'
import { enterPage } from './browser/page-lock.ts'
import type { Persistence } from './browser/persist/open-persistence.ts'
import { startAgain } from './browser/start-again.ts'
import { type ParsedWorkerOptions, parseWorkerOptions, type WorkerOptions } from './browser/worker-options.ts'
import { parseWorkerScript } from './browser/worker-script.ts'

export type { PersistWarning } from './browser/persist/persist-warning.ts'
export type { WorkerOptions } from './browser/worker-options.ts'
export type { UnhandledRequest } from './shared/unhandled-request.ts'

/** What answers this page. */
export interface RunningWorker extends AsyncDisposable {
  /** Gives the page its network back, once the requests under way are answered. More than one call does no harm. */
  stop(): Promise<void>
  /**
   * Starts again from the seed of this page's mock, in all sandboxes. With `persist` that is what is stored from now on,
   * and what the other tabs show; what was set aside is dropped.
   */
  forget(): Promise<void>
}

/**
 * Answers this page's requests out of the mock, in a service worker of the page: those of `fetch`, of XMLHttpRequest,
 * and of whatever else the page loads. Without a `baseUrl` it answers `/v1` and all below on every origin. Resolves
 * when a request of the page has come through the worker and back. Where there can be no service worker, `mode: 'page'`
 * answers inside the page.
 *
 * The state is the page's: it begins anew when the page is loaded again, unless `persist` keeps it. One mock at a time
 * answers a page.
 * @throws {MockError} `WORKER_START` with the reason and what to do; `INVALID_OPTION` for an option.
 * @example
 * const worker = await startWorker(createMock())
 * await fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
 * await worker.stop()
 */
export async function startWorker(mock: Mock, options: WorkerOptions = {}): Promise<RunningWorker> {
  assertPage()
  const { bases, covers } = toService(mock, 'Failed to start the worker')
  const settings = parseWorkerOptions(options)
  const answer = prepareAnswer(options, settings)
  const ticket = await enterPage(document)
  let close = async (): Promise<void> => {}
  try {
    const persistence = await startPersistence(mock, settings)
    close = persistence.close
    const giveBack = await answer({ bases, covers, fetch: persistence.fetch })
    const stop = (): Promise<void> => ticket.leave(() => giveBack().finally(close))
    return { stop, forget: persistence.forget, [ASYNC_DISPOSE]: stop }
  } catch (error) {
    await ticket.leave(close)
    throw error
  }
}

// What one page does not need it does not load; and Node could not load `msw/browser`.

type Service = Pick<MockService, 'bases' | 'covers'> & { fetch(request: Request): Promise<Response> }

function prepareAnswer(
  options: WorkerOptions,
  settings: ParsedWorkerOptions,
): (service: Service) => Promise<() => Promise<void>> {
  if (settings.mode === 'page') {
    return async (service) => (await import('./browser/answer-in-page.ts')).answerInPage(service, settings)
  }
  assertServiceWorkers()
  const script = parseWorkerScript(options, { href: location.href.replace(/#.*/s, ''), baseUrl: document.baseURI })
  return async (service) =>
    (await import('./browser/answer-in-worker.ts')).answerInWorker(service, { ...settings, ...script })
}

async function startPersistence(
  mock: Mock,
  { persist, timeout, onPersistWarning }: ParsedWorkerOptions,
): Promise<Persistence> {
  const { sandboxes } = toService(mock)
  if (persist === undefined) {
    return { fetch: mock.fetch, forget: async () => startAgain(sandboxes), close: async () => {} }
  }
  const { openPersistence } = await import('./browser/persist/open-persistence.ts')
  return openPersistence(mock, { name: persist, timeout, onWarning: onPersistWarning })
}
