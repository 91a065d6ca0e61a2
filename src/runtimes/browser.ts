/// <reference lib="esnext.disposable" preserve="true" />

import { ASYNC_DISPOSE } from '../http/async-dispose.ts'
import { writeBaseUrl } from '../http/base-url.ts'
import type { Mock } from '../service/mock.ts'
import { type MockService, toService } from '../service/mock-service.ts'
import { assertPage, assertServiceWorkers } from './browser/assert-page.ts'
import type { Persistence } from './browser/persist.ts'
import { startAgain } from './browser/start-again.ts'
import { createWorkerError } from './browser/worker-error.ts'
import {
  type ParsedWorkerOptions,
  parseWorkerOptions,
  parseWorkerScript,
  type WorkerOptions,
} from './browser/worker-options.ts'

export type { PersistWarning } from './browser/persist.ts'
export type { WorkerOptions } from './browser/worker-options.ts'
export type { UnhandledRequest, UnhandledRequestCallback } from './shared/unhandled-request.ts'

/** A running worker, which answers the page's requests. */
export interface RunningWorker extends AsyncDisposable {
  /**
   * Stops answering requests. Those in flight have a second to finish; what then has no response fails. Safe to call more
   * than once.
   */
  stop(): Promise<void>
  /**
   * Restores the seed of this page's mock in all sandboxes. With `persist`, this also replaces the stored state, applies
   * to all other tabs, and deletes quarantined state.
   */
  forget(): Promise<void>
}

/**
 * Answers this page's requests from the mock, through a service worker: `fetch`, XMLHttpRequest and everything else the
 * page loads. Without a `baseUrl` it answers `/v1` and everything below on every origin. Resolves after a request of the
 * page has made the round trip through the worker. Use `mode: 'page'` where service workers are not available.
 *
 * The state lives in the page and is lost on reload, unless `persist` stores it. Only one mock at a time can answer a
 * page.
 * @throws {MockError} `WORKER_START` with the reason and what to do; `INVALID_OPTION` for an invalid option.
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
  const lock = await lockPage(document)
  let close = async (): Promise<void> => {}
  try {
    const persistence = await startPersistence(mock, settings)
    close = persistence.close
    const stopAnswering = await answer({ bases, covers, fetch: persistence.fetch })
    if (!settings.quiet) console.info(describeStart(mock))
    const stop = (): Promise<void> => lock.release(() => stopAnswering().finally(close))
    return { stop, forget: persistence.forget, [ASYNC_DISPOSE]: stop }
  } catch (error) {
    await lock.release(close)
    throw error
  }
}

/** Otherwise a page whose fixture was edited shows the old pets, and nobody knows why. */
function describeStart(mock: Mock): string {
  const { bases, sandboxes } = toService(mock)
  const kept =
    ' Its state is from an earlier visit, with another fixture. POST /_mock/reset loads the fixture of this page.'
  const isOther = sandboxes.default.state.seed !== sandboxes.seed
  return `petstore-mock answers the requests of this page to ${bases.map(writeBaseUrl).join(' and ')}.${isOther ? kept : ''}`
}

// Loaded on demand: a page needs only one of the modes, and Node cannot load `msw/browser`.

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
  const { openPersistence } = await import('./browser/persist.ts')
  return openPersistence(mock, { name: persist, timeout, onWarning: onPersistWarning })
}

/** The exclusive right of one start to answer the page. */
interface PageLock {
  /** Runs `work`, then unlocks the page. Starts and further calls made meanwhile wait. */
  release(work: () => Promise<void>): Promise<void>
}

interface Occupant {
  releasing?: Promise<void>
}

// The lock is a property of the page's document instead of a variable of this module, so that a second copy of the package
// in the same page sees it, and that it ends with the page. A Web Lock would be shared with other pages of the origin,
// each of which may have its own mock.
const OCCUPANT = Symbol.for('petstore-mock.worker')

/** @throws {MockError} `WORKER_START` while another start holds the lock. */
async function lockPage(document: object): Promise<PageLock> {
  const page: { [OCCUPANT]?: Occupant | undefined } = document
  // Another start may have locked the page while this one waited.
  while (page[OCCUPANT]?.releasing !== undefined) await page[OCCUPANT].releasing
  if (page[OCCUPANT] !== undefined) {
    throw createWorkerError(
      'a worker already answers this page, and keeps running. Await its stop() first (under hot reloading in import.meta.hot.dispose), or use its mock.',
    )
  }
  const occupant: Occupant = {}
  page[OCCUPANT] = occupant
  return {
    release(work) {
      occupant.releasing ??= work().finally(() => {
        page[OCCUPANT] = undefined
      })
      return occupant.releasing
    },
  }
}
