/// <reference lib="esnext.disposable" preserve="true" />

import { DEFAULT_SANDBOX } from '../auth/authenticator.ts'
import type { RemoteMock } from '../client/connect-mock.ts'
import { writeBaseUrl } from '../http/base-url.ts'
import { ASYNC_DISPOSE } from '../http/globals.ts'
import { MockError } from '../http/mock-error.ts'
import type { Mock } from '../service/mock.ts'
import type { Persistence } from './browser/persist.ts'
import { assertPage, createWorkerError, START_FAILURE } from './browser/start-errors.ts'
import { type ParsedWorkerOptions, parseWorkerOptions, type WorkerOptions } from './browser/worker-options.ts'
import { type Target, toTarget } from './shared/target.ts'
import { warnOfUnreachedHandlers } from './shared/unhandled-request.ts'

export type { PersistWarning } from './browser/persist.ts'
export type { WorkerOptions } from './browser/worker-options.ts'
export type { UnhandledRequest } from './shared/unhandled-request.ts'

/** A running worker, which answers the page's requests. */
export interface RunningWorker extends AsyncDisposable {
  /** Stops answering requests. Those in flight fail after a second. Safe to call more than once. */
  stop(): Promise<void>
  /**
   * Restores the seed of this page's mock in all sandboxes. With `persist`, this also replaces the stored state, which
   * other tabs load before their next response, and deletes quarantined state.
   */
  forget(): Promise<void>
}

/**
 * Answers this page's requests from the mock, through a service worker: `fetch`, XMLHttpRequest and everything else the
 * page loads. Without a `baseUrl` it answers `/v1` and everything below on every origin. Resolves after a request of the
 * page has made the round trip through the worker. Use `mode: 'page'` where service workers are not available.
 *
 * The state lives in the page and is lost on reload, unless `persist` stores it. The state of a mock of `connectMock`
 * lives in its own process. Only one mock at a time can answer a page.
 * @throws {MockError} `WORKER_START` with the reason and what to do; `INVALID_OPTION` for an invalid option.
 * @example
 * const worker = await startWorker(createMock())
 * await fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
 * await worker.stop()
 */
export async function startWorker(mock: Mock | RemoteMock, options: WorkerOptions = {}): Promise<RunningWorker> {
  assertPage()
  const target = toTarget(mock, START_FAILURE)
  const settings = parseWorkerOptions(options)
  if (target.sandboxes === undefined && settings.persist !== undefined)
    throw new MockError('INVALID_OPTION', `${START_FAILURE}: persist is for a mock in this page. Leave it out.`)
  const lock = await lockPage(document as object)
  let close = async (): Promise<void> => {}
  try {
    const persistence = await startPersistence(mock as Mock, { ...settings, fetch: target.fetch })
    close = persistence.close
    // A page needs only one of the modes.
    const mode =
      settings.mode === 'page' ? import('./browser/answer-in-page.ts') : import('./browser/answer-in-worker.ts')
    const stopAnswering = await (await mode).answer({ ...target, fetch: persistence.fetch }, settings)
    close = () => stopAnswering().finally(persistence.close)
    const unmount = settings.panel ? await mountPanel({ ...mock, fetch: persistence.fetch } as Mock) : () => {}
    warnOfUnreachedHandlers(target)
    if (!settings.quiet) console.info(describeStart(target))
    const stop = (): Promise<void> => lock.release(() => close().finally(unmount))
    const startAgain = target.sandboxes === undefined ? mock.reset : (mock as Mock).resetAll
    return { stop, forget: () => persistence.forget(startAgain), [ASYNC_DISPOSE]: stop }
  } catch (error) {
    await lock.release(close)
    throw error
  }
}

/**
 * Adds the console to a page with a mock, as `panel: true` of {@link startWorker} does: a button at the page's lower edge
 * opens it. Bundlers include it only under the condition `development`, which Vite and webpack set in development.
 * @returns A function that removes it.
 * @example
 * await setupWorker(...createHandlers(mock)).start()
 * await mountPanel(mock)
 */
export async function mountPanel(mock: Mock | RemoteMock): Promise<() => void> {
  // The key of each request names its sandbox. Without a name it is the default one, also if the remote has another one.
  const { bases, fetch, origin = location.origin } = toTarget(mock, 'Failed to mount the panel', DEFAULT_SANDBOX)
  return (await import('#panel')).mountPanel({ fetch, origin: bases[0].origin ?? origin, apiKey: mock.apiKey })
}

/** Otherwise a page whose fixture was edited shows the old pets, and nobody knows why. */
function describeStart({ bases, sandboxes, origin }: Target): string {
  const kept =
    ' Its state is from an earlier visit, with another fixture. POST /_mock/reset loads the fixture of this page.'
  const isOther = sandboxes?.default.state.seed !== sandboxes?.seeds.own
  const place = origin === undefined ? '' : `, with the state of ${origin}`
  return `petstore-mock answers the requests of this page to ${bases.map(writeBaseUrl).join(' and ')}${place}.${isOther ? kept : ''}`
}

async function startPersistence(
  mock: Mock,
  { fetch, persist: name, ...settings }: ParsedWorkerOptions & Pick<Target, 'fetch'>,
): Promise<Persistence> {
  if (name === undefined) return { fetch, forget: async (startAgain) => startAgain(), close: async () => {} }
  return (await import('./browser/persist.ts')).openPersistence(mock, { ...settings, name })
}

// A property of the document, which a second copy of the package in the page sees. Pages of an origin share a Web Lock.
const OCCUPANT = Symbol.for('petstore-mock.worker')

interface PageLock {
  releasing?: Promise<void>
  /** Runs `work`, then unlocks the page. Starts and further calls made meanwhile wait. */
  release(work: () => Promise<void>): Promise<void>
}

/** @throws {MockError} `WORKER_START` while another start holds the lock. */
async function lockPage(page: { [OCCUPANT]?: PageLock | undefined }): Promise<PageLock> {
  // Another start may have locked the page while this one waited.
  while (page[OCCUPANT]?.releasing !== undefined) await page[OCCUPANT].releasing
  if (page[OCCUPANT] !== undefined) {
    throw createWorkerError(
      'a worker already answers this page, and keeps running. Await its stop() first (under hot reloading in import.meta.hot.dispose), or use its mock.',
    )
  }
  const lock: PageLock = {
    release(work) {
      lock.releasing ??= work().finally(() => {
        page[OCCUPANT] = undefined
      })
      return lock.releasing
    },
  }
  page[OCCUPANT] = lock
  return lock
}
