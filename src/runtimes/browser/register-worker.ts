import { waitForAbort } from '../../http/fetch-result.ts'
import { MockError } from '../../http/mock-error.ts'
import { quote } from '../../http/quote.ts'
import { createWorkerError, NODE_ADVICE, START_FAILURE } from './start-errors.ts'

const PAGE_ADVICE = "answer inside the page: startWorker(mock, { mode: 'page' })."
const INIT_ADVICE =
  'Run `npx petstore-mock init public/` with the folder that your site serves as its root, or set workerUrl to where the script lies.'

/** An active worker with the newest version of its script. */
interface RegisteredWorker {
  readonly registration: ServiceWorkerRegistration
  readonly worker: ServiceWorker
  /** Whether the page had no such worker before. */
  readonly isNew: boolean
  /** Unregisters the worker if it is new; keeps one that existed before. */
  withdraw(): Promise<void>
}

interface RegisterOptions {
  readonly container: ServiceWorkerContainer
  readonly scriptUrl: string
  readonly deadline: AbortSignal
}

/**
 * Registers the script before msw does, to add three things: it explains why a browser rejects a script, it does not wait
 * for ever for a worker that does not start, and it replaces a worker of an earlier visit before the start. msw updates
 * that worker in the background, and requests then bypass the new worker, or hang.
 */
export async function registerWorker(options: RegisterOptions): Promise<RegisteredWorker> {
  const { container, scriptUrl, deadline } = options
  const scope = toScope(scriptUrl)
  let isNew = false
  const withdraw = async (): Promise<void> => {
    const registration = isNew ? await container.getRegistration(scope) : undefined
    if (registration?.scope === scope) await registration.unregister()
  }
  try {
    const before = await container.getRegistration(scope)
    isNew = before?.scope !== scope || before.active?.scriptURL !== scriptUrl
    const late = `the browser did not bring up the script ${scriptUrl} in time. Close the other tabs of this site, and reload the page.`
    const active = await waitFor(bringUp(options, isNew ? undefined : before), deadline, late)
    return { ...active, isNew, withdraw }
  } catch (cause) {
    await withdraw()
    throw cause instanceof MockError ? cause : createWorkerError(await explainRefusal(cause, options), cause)
  }
}

async function bringUp(
  options: RegisterOptions,
  before: ServiceWorkerRegistration | undefined,
): Promise<Pick<RegisteredWorker, 'registration' | 'worker'>> {
  const { container, scriptUrl } = options
  const registration = await (before === undefined ? container.register(scriptUrl) : lookForNewer(before, options))
  const worker = registration.installing ?? registration.waiting ?? registration.active
  if (worker === null) throw new Error('The registration has no worker.')
  await waitUntil(worker, 'statechange', () => worker.state === 'activated' || worker.state === 'redundant')
  if (worker.state === 'redundant') throw new Error('The worker failed while it was installed.')
  return { registration, worker }
}

/**
 * Makes the browser check for a newer script. If it gets none in time, the worker of the earlier visit stays.
 *
 * Changing the cache mode of a registration checks for updates at once, while `update()` in Firefox waits for a second
 * (`dom.serviceWorkers.update_delay`). The mode only matters for imported scripts, and msw's script imports none. The
 * default mode comes last, because Chromium revives a registration that is being removed only with the same mode. Without
 * a network, the first mode may stay until the next visit.
 */
async function lookForNewer(
  registration: ServiceWorkerRegistration,
  { container, scriptUrl }: RegisterOptions,
): Promise<ServiceWorkerRegistration> {
  const look = async (): Promise<ServiceWorkerRegistration> => {
    if (registration.updateViaCache !== 'none') await container.register(scriptUrl, { updateViaCache: 'none' })
    return container.register(scriptUrl, { updateViaCache: 'imports' })
  }
  const late = waitForAbort(AbortSignal.timeout(4000)).then(() => registration)
  return Promise.race([look().catch(() => registration), late])
}

/**
 * Why a browser rejected a worker script. Browsers only describe the symptom, each in its own words, so this requests the
 * script itself first.
 */
async function explainRefusal(cause: unknown, { scriptUrl, deadline }: RegisterOptions): Promise<string> {
  const answer = await request(scriptUrl, deadline)
  if (answer === undefined) return `the script ${scriptUrl} could not be loaded. Is its server running?`
  if (!answer.ok) return `there is no script at ${scriptUrl} (HTTP ${answer.status}). ${INIT_ADVICE}`
  const type = answer.headers.get('content-type')
  if (!type?.includes('script'))
    return `${scriptUrl} is not a script but ${type}; dev servers send their index.html where a file is missing. ${INIT_ADVICE}`
  const message = cause instanceof Error ? cause.message : String(cause)
  const isPolicy = cause instanceof DOMException && cause.name === 'SecurityError'
  const advice = isPolicy
    ? `Add worker-src 'self' to the page's Content-Security-Policy, or ${PAGE_ADVICE}`
    : INIT_ADVICE
  return `the browser refused the script ${scriptUrl}: ${message.replace(/\.?$/, '.')} ${advice}`
}

/** `undefined` if there is no response. */
async function request(url: string, signal: AbortSignal): Promise<Response | undefined> {
  const answer = await fetch(url, { cache: 'no-store', signal }).catch(() => undefined)
  await answer?.body?.cancel()
  return answer
}

/**
 * Waits for a step until the deadline, which is an `AbortSignal.timeout`, because a test runner's fake timers do not affect
 * that.
 * @throws {MockError} `WORKER_START` with the reason, if it is too late.
 */
export function waitFor<T>(step: Promise<T>, deadline: AbortSignal, reason: string): Promise<T> {
  const late = waitForAbort(deadline).then(() => {
    throw createWorkerError(reason)
  })
  return Promise.race([step, late])
}

/** Resolves when `isReached` returns true. Checks now and after each event of that name. */
export function waitUntil(target: EventTarget, event: string, isReached: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!isReached()) return
      target.removeEventListener(event, check)
      resolve()
    }
    target.addEventListener(event, check)
    check()
  })
}

/** A worker controls the pages in the folder of its script. */
const toScope = (scriptUrl: string | URL): string => new URL('.', scriptUrl).href

/**
 * The absolute URL of the worker's script. A worker that cannot control the page is refused before it is registered: msw
 * takes it for one that a hard reload bypassed, and reloads the page in a loop.
 * @throws {MockError} `INVALID_OPTION` for a URL that is none; `WORKER_START` if the page is out of scope.
 */
export function parseWorkerUrl(workerUrl = '/mockServiceWorker.js'): string {
  const url = URL.parse(workerUrl, document.baseURI)
  if (url === null)
    throw new MockError('INVALID_OPTION', `${START_FAILURE}: workerUrl must be an address, got ${quote(workerUrl)}.`)
  url.hash = ''
  if (location.href.startsWith(toScope(url))) return url.href
  throw createWorkerError(
    `the page ${location.href} is outside the folder of the worker's script, ${toScope(url)}. Put the script into the root of the site with \`npx petstore-mock init public/\`.`,
  )
}

/** @throws {MockError} `WORKER_START` if service workers are not available. */
export function assertServiceWorkers(): void {
  try {
    // In a frame with the sandbox attribute, Firefox has the container and refuses to register a worker.
    if (isSecureContext && origin !== 'null' && navigator.serviceWorker !== undefined) return
  } catch {
    // There, other browsers throw when the container is accessed.
  }
  throw createWorkerError(
    `the page ${location.href} has no service workers. Browsers give them to pages at http://localhost or over https, but not to files, frames with the sandbox attribute and some private windows. Open the page at such an address, or ${PAGE_ADVICE} ${NODE_ADVICE}`,
  )
}
