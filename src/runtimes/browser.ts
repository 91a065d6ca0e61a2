/// <reference lib="esnext.disposable" preserve="true" />

import { DEFAULT_SANDBOX } from '../auth/authenticator.ts'
import type { RemoteMock } from '../client/connect-mock.ts'
import { writeBaseUrl } from '../http/base-url.ts'
import { ASYNC_DISPOSE } from '../http/globals.ts'
import { MockError } from '../http/mock-error.ts'
import type { Mock } from '../service/mock.ts'
import type { Persistence } from './browser/persist.ts'
import { type Interception, inTurn, type PageMock, type Place, replaceMock } from './browser/place.ts'
import { assertPage, START_FAILURE } from './browser/start-errors.ts'
import { type ParsedWorkerOptions, parseWorkerOptions, type WorkerOptions } from './browser/worker-options.ts'
import { type Target, toTarget } from './shared/target.ts'
import { createUnhandledRule, warnOfUnreachedHandlers } from './shared/unhandled-request.ts'

export type { PersistWarning } from './browser/persist.ts'
export type { WorkerOptions } from './browser/worker-options.ts'
export type { UnhandledRequest } from './shared/unhandled-request.ts'

/** A running worker, which answers the page's requests. */
export interface RunningWorker extends AsyncDisposable {
  /**
   * Stops answering requests. Those in flight fail after a second. Safe to call more than once. Does nothing after another
   * start has taken the place of this one.
   */
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
 * lives in its own process.
 *
 * Only one mock at a time can answer a page. A second start in the same page, as under hot reloading, takes the place of
 * the first without a gap: requests that come meanwhile wait for the new mock. If that start fails, the first mock goes on.
 * @throws {MockError} `WORKER_START` with the reason and what to do, also for a second start with another mode, `workerUrl` or
 * base URL; `INVALID_OPTION` for an invalid option.
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
  const start = (): Promise<PageMock> => startMock(mock as Mock, target, settings)
  const own = await inTurn(async (page) => {
    if (page.interception === undefined) page.interception = await startInterception(await start())
    else await replaceMock(page.interception, { ...target, settings }, start)
    warnOfUnreachedHandlers(target)
    if (!settings.quiet) console.info(describeStart(target))
    return page.interception.place.mock
  })
  const stop = (): Promise<void> =>
    inTurn(async (page) => {
      if (page.interception?.place.mock !== own) return
      const { interception } = page
      page.interception = undefined
      await interception.stop().finally(() => end(own))
    })
  return { stop, forget: own.forget, [ASYNC_DISPOSE]: stop }
}

/** Opens what the options ask for. Nothing goes to the mock yet. */
async function startMock(mock: Mock, target: Target, settings: ParsedWorkerOptions): Promise<PageMock> {
  const { fetch, forget, close } = await startPersistence(mock, { ...settings, fetch: target.fetch })
  try {
    return {
      ...target,
      settings,
      fetch,
      onUnhandled: createUnhandledRule(settings.onUnhandledRequest, target),
      forget: () => forget(target.sandboxes === undefined ? mock.reset : mock.resetAll),
      unmount: settings.panel ? await mountPanel({ ...mock, fetch }) : () => {},
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function startInterception(mock: PageMock): Promise<Interception> {
  const { settings } = mock
  const place: Place = { mock }
  try {
    // A page needs only one of the modes.
    const mode =
      settings.mode === 'page' ? import('./browser/answer-in-page.ts') : import('./browser/answer-in-worker.ts')
    return await (await mode).answer(place, settings)
  } catch (error) {
    await end(mock)
    throw error
  }
}

function end({ close, unmount }: PageMock): Promise<void> {
  return close().finally(unmount)
}

/**
 * Adds the console to a page with a mock, as `panel: true` of {@link startWorker} does: a tab at the page's edge opens it.
 * Faults and latency set there last until the browser's tab is closed: call this before the page's first request. Bundlers
 * include it only under the condition `development`, which Vite and webpack set in development.
 * @returns A function that removes it.
 * @example
 * await setupWorker(...createHandlers(mock)).start()
 * await mountPanel(mock)
 */
export async function mountPanel(mock: Mock | RemoteMock): Promise<() => void> {
  // The key of each request names its sandbox. Without a name it is the default one, also if the remote has another one.
  const { bases, fetch, sandboxes, ...target } = toTarget(mock, 'Failed to mount the panel', DEFAULT_SANDBOX)
  const origin = bases[0].origin ?? target.origin ?? location.origin
  return (await import('#panel')).mountPanel({ fetch, origin, sandboxes, apiKey: mock.apiKey })
}

/** Otherwise a page whose fixture was edited shows the old pets, and nobody knows why. */
function describeStart({ bases, sandboxes, origin }: Target): string {
  const kept =
    ' Its state is from an earlier visit, with another fixture. POST /_mock/reset loads the fixture of this page.'
  const isOther = sandboxes?.default.state.seed !== sandboxes?.seeds.initial
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
