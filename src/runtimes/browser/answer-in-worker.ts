import { WebSocketInterceptor } from '@mswjs/interceptors/WebSocket'
import { createErrorResponse } from '../../http/error-response.ts'
import { waitForAbort } from '../../http/fetch-result.ts'
import { toResponse } from '../../http/wire-response.ts'
import type { Target } from '../shared/target.ts'
import { createAborts } from './aborts.ts'
import { createOpenRequests, type OpenRequests } from './open-requests.ts'
import type { Interception, Place } from './place.ts'
import { assertServiceWorkers, parseWorkerUrl, registerWorker, waitFor, waitUntil } from './register-worker.ts'
import { createOccupiedError, createWorkerError } from './start-errors.ts'
import { withoutStreams } from './without-streams.ts'
import type { ParsedWorkerOptions } from './worker-options.ts'

type Msw = Awaited<ReturnType<typeof loadMsw>>

/** How long a start may take, also on a busy machine, and a stop, in milliseconds. */
const [START_MS, STOP_MS] = [20_000, 10_000]

const OTHERS_ADVICE = "Take the workers of this site out in the browser's developer tools, and reload the page."

/** What the steps of a start share. One deadline is for all of them. */
interface Start extends ParsedWorkerOptions {
  readonly scriptUrl: string
  readonly msw: Msw
  readonly container: ServiceWorkerContainer
  readonly registration: ServiceWorkerRegistration
  readonly worker: ServiceWorker
  readonly deadline: AbortSignal
}

/**
 * Starts worker mode. A failed start leaves the page unchanged. Loaded only once the
 * environment is known to be a page, because Node cannot load `msw/browser`.
 * @throws {MockError} `WORKER_START`
 */
export async function answer(place: Place, settings: ParsedWorkerOptions): Promise<Interception> {
  assertServiceWorkers()
  const options = { ...settings, scriptUrl: parseWorkerUrl(settings.workerUrl) }
  const msw = await loadMsw()
  assertNoOtherMsw()
  const container = navigator.serviceWorker
  const deadline = AbortSignal.timeout(START_MS)
  const { registration, worker, isNew, withdraw } = await registerWorker({ ...options, container, deadline })
  const aborts = createAborts((url) => place.mock.covers(url))
  const requests = createOpenRequests((request) => place.mock.fetch(request), aborts.find)
  const letGo = endBeforeNewer(registration, requests)
  const start: Start = { ...options, msw, container, registration, worker, deadline }
  try {
    await assertWorkerVersion(start)
    // Otherwise a worker of an earlier visit does not control the page, because a hard reload bypassed it.
    if (isNew || container.controller !== null) await waitForControl(start)
    const stopAnswering = await startMsw(place, withoutStreams(requests.fetch), start)
    const unfollow = aborts.follow(requests.fetch)
    const stop = async (): Promise<void> => {
      // The worker waits for every open request, and meanwhile all others go to the network.
      await requests.end()
      unfollow()
      await stopAnswering().finally(letGo)
    }
    return { place, requests, stop }
  } catch (error) {
    letGo()
    await withdraw()
    throw error
  }
}

/** Loads msw late, because a page in `mode: 'page'` goes without it. */
async function loadMsw() {
  const [{ http }, { setupWorker }] = await Promise.all([import('msw'), import('msw/browser')])
  return { http, setupWorker }
}

/**
 * msw has one worker per page. A second setup takes it over from the first and only then fails, because msw can patch
 * WebSocket only once. This tries that first, before anything is taken over.
 * @throws {MockError} `WORKER_START` if the user's own msw setup already answers the page.
 */
function assertNoOtherMsw(): void {
  const trial = new WebSocketInterceptor()
  try {
    // The interceptor in msw 2 is another copy. While it is applied, the page's global object refers to it.
    const marks = Object.getOwnPropertySymbols(globalThis).map(({ description }) => description)
    if (marks.some((mark) => mark === 'websocket' || mark === 'websocket-interceptor')) throw new Error('msw 2 runs.')
    trial.apply()
  } catch (cause) {
    throw createOccupiedError(cause)
  } finally {
    trial.dispose()
  }
}

/**
 * Ends the streams when a newer worker is ready. The newer worker takes over once the current one is idle, which an open
 * stream delays: in Chromium for five minutes, during which no other tab can start.
 */
function endBeforeNewer(registration: ServiceWorkerRegistration, { endStreams }: OpenRequests): () => void {
  const stopped = new AbortController()
  const { signal } = stopped
  const follow = (): void => {
    const newer = registration.installing
    newer?.addEventListener('statechange', () => newer.state === 'installed' && endStreams(), { signal })
  }
  registration.addEventListener('updatefound', follow, { signal })
  return () => stopped.abort()
}

/**
 * Asks the worker for its version, like msw itself. msw, however, waits for ever if the worker is not its own, and only
 * warns about another version. A script of another major version does not understand the page that stops it. With the same
 * major version, only msw's warning appears.
 * @throws {MockError} `WORKER_START`
 */
async function assertWorkerVersion(start: Start): Promise<void> {
  const { scriptURL } = start.worker
  // msw exports no version; msw 2 has no `readyState`.
  const installed = 'readyState' in start.msw.setupWorker() ? '3' : '2'
  const version = await waitFor(
    askVersion(start),
    start.deadline,
    `the script ${scriptURL} did not answer as msw's worker does. If it is another service worker, run \`npx petstore-mock init public/\` and set workerUrl to the file it writes.`,
  )
  if (version?.split('.')[0] === installed) return
  throw createWorkerError(
    `the script ${scriptURL} is of msw ${version ?? '1'}, and this page has msw ${installed}. Run \`npx petstore-mock init public/\` again, which overwrites it.`,
  )
}

/** `undefined` for msw 1, which does not report its version. */
function askVersion({ container, worker }: Pick<Start, 'container' | 'worker'>): Promise<string | undefined> {
  return new Promise((resolve) => {
    const listen = ({ source, data }: MessageEvent): void => {
      if (source !== worker || data?.type !== 'INTEGRITY_CHECK_RESPONSE') return
      container.removeEventListener('message', listen)
      resolve(data.payload?.packageVersion)
    }
    container.addEventListener('message', listen)
    worker.postMessage('INTEGRITY_CHECK_REQUEST')
  })
}

/** Waits until the page's requests go through the worker. @throws {MockError} `WORKER_START` */
async function waitForControl({ container, worker, deadline }: Start): Promise<void> {
  await waitFor(
    waitUntil(container, 'controllerchange', () => container.controller === worker),
    deadline,
    `the worker ${worker.scriptURL} did not take over the page in time. ${OTHERS_ADVICE}`,
  )
}

/** The option of msw 3, and that of msw 2. */
const BYPASS = { onUnhandledFrame: 'bypass', onUnhandledRequest: 'bypass' } as const

/**
 * Starts msw and returns a function that stops it. If a hard reload bypassed the worker, msw reloads the page.
 * @throws {MockError} `WORKER_START`
 */
async function startMsw(place: Place, fetch: Target['fetch'], start: Start): Promise<() => Promise<void>> {
  const { scriptUrl, registration, deadline } = start
  const { http, setupWorker } = start.msw
  const probe = createProbe(http)
  const worker = setupWorker(
    probe.handler,
    http.all(
      () => true,
      ({ request }) =>
        place.mock.covers(new URL(request.url))
          ? answerRequest(request, fetch).catch(() => Response.error())
          : // msw's own strategies also fail the page's WebSockets, including a dev server's, and have another name in msw 2.
            place.mock.onUnhandled(request) && Response.error(),
    ),
  )
  let active = start.worker
  const allowUpdate = forbidUpdate(registration)
  const restoreListening = leaveAtPagehide()
  const started = worker
    .start({ serviceWorker: { url: scriptUrl }, quiet: true, ...BYPASS })
    .catch((cause: Error) => {
      throw createWorkerError(`msw says: ${cause.message} Reload the page.`, cause)
    })
    .finally(allowUpdate)
    .finally(restoreListening)
  const stop = async (): Promise<void> => {
    // The worker first releases the page and confirms once the requests in flight are answered; that of msw 2 does not
    // confirm, so it is asked something else. A handler that never responds, or a worker that was unregistered by hand,
    // must not block the page for ever.
    const stopped: Promise<unknown> = worker.stop() ?? askVersion({ ...start, worker: active })
    await Promise.race([stopped.catch(() => {}), waitForAbort(AbortSignal.timeout(STOP_MS))])
  }
  try {
    const taken = await waitFor(started, deadline, 'msw did not start in time. Reload the page.')
    // msw registers a different worker if the page had a setup with other options before.
    active = taken?.installing ?? taken?.waiting ?? taken?.active ?? active
    await waitForControl({ ...start, worker: active })
    await probe.send(deadline)
    return stop
  } catch (error) {
    // msw may not be far enough into its start to be stopped.
    stop().catch(() => {})
    throw error
  }
}

/** A form or a link of any site can navigate here: it must neither control the mock nor run the body of a fault as a page. */
async function answerRequest(request: Request, fetch: Target['fetch']): Promise<Response> {
  if (request.mode !== 'navigate') return fetch(request)
  if (request.method !== 'GET')
    return toResponse(createErrorResponse('forbidden', 'A form cannot control the mock'), request.method)
  const response = await fetch(request)
  const headers = new Headers(response.headers)
  headers.set('content-security-policy', 'sandbox')
  return new Response(response.body, { status: response.status, headers })
}

/**
 * Disables msw's own update check, because the newest script is already active. msw leaves a failure unhandled, which
 * happens without a network, and in Firefox if the worker has stopped. Returns a function that restores the check.
 */
function forbidUpdate(registration: ServiceWorkerRegistration): () => void {
  Object.defineProperty(registration, 'update', { configurable: true, value: async () => registration })
  return () => void Reflect.deleteProperty(registration, 'update')
}

/**
 * Makes msw 2 let go of the page at `pagehide`, as msw 3 does. At `beforeunload`, a reload still waits for its server, and a
 * download does not end the page: its requests would go to the network. Returns a function for the end of msw's start.
 * https://github.com/mswjs/msw/blob/v2.15.0/src/browser/sources/service-worker-source.ts
 */
function leaveAtPagehide(): () => void {
  const name = 'addEventListener'
  const own = Object.getOwnPropertyDescriptor(window, name)
  const add = window.addEventListener.bind(window)
  const value = (type: string, listener: EventListener, options?: AddEventListenerOptions): void => {
    // The page may add its own listeners meanwhile.
    const isOfMsw = type === 'beforeunload' && String(listener).includes('CLIENT_CLOSED')
    if (isOfMsw) add('pagehide', (event) => event.persisted || listener(event), options)
    else add(type, listener, options)
  }
  Object.defineProperty(window, name, { configurable: true, writable: true, value })
  return () => void (own ? Object.defineProperty(window, name, own) : Reflect.deleteProperty(window, name))
}

/**
 * A request that only the worker of this start can answer: on the page's own origin, which the mock itself may not cover,
 * and with an unguessable path. `send` throws `WORKER_START` if it bypassed the worker.
 */
function createProbe({ get }: Msw['http']) {
  const token = crypto.randomUUID()
  const url = `${location.origin}/_mock/worker/${token}`
  return {
    handler: get(
      ({ request }) => request.url === url,
      () => new Response(token, { headers: { 'cache-control': 'no-store' } }),
    ),
    async send(signal: AbortSignal): Promise<void> {
      const text = await fetch(url, { signal })
        .then((answer) => answer.text())
        .catch((cause: unknown) => cause)
      if (text === token) return
      throw createWorkerError(
        `the worker runs, but a request of this page did not come back from it. ${OTHERS_ADVICE}`,
        text,
      )
    },
  }
}
