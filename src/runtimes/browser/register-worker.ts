import { explainRefusal } from './explain-refusal.ts'
import { waitFor, waitUntil } from './wait-for.ts'
import { createWorkerError } from './worker-error.ts'

/** How long to wait for a newer script, in milliseconds. */
const NETWORK_PATIENCE_MS = 4000

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
  /** Absolute URLs. */
  readonly scriptUrl: string
  readonly scope: string
  readonly deadline: AbortSignal
}

/**
 * Registers the script before msw does, to add three things: it explains why a browser rejects a script, it does not wait
 * for ever for a worker that does not start, and it replaces a worker of an earlier visit before the start. msw updates
 * that worker in the background, and requests then bypass the new worker, or hang.
 */
export async function registerWorker(options: RegisterOptions): Promise<RegisteredWorker> {
  const { container, scriptUrl, scope, deadline } = options
  let isNew = false
  const withdraw = async (): Promise<void> => {
    const registration = isNew ? await container.getRegistration(scope) : undefined
    if (registration?.scope === scope) await registration.unregister()
  }
  try {
    const before = await container.getRegistration(scope)
    isNew = before?.scope !== scope || before.active?.scriptURL !== scriptUrl
    const { registration, worker } = await waitFor(bringUp(options, isNew ? undefined : before), deadline, () =>
      createWorkerError(
        `the browser did not bring up the script ${scriptUrl} in time. Close the other tabs of this site, and reload the page.`,
      ),
    )
    return { registration, worker, isNew, withdraw }
  } catch (cause) {
    await withdraw()
    throw await explainRefusal(cause, options)
  }
}

async function bringUp(
  options: RegisterOptions,
  before: ServiceWorkerRegistration | undefined,
): Promise<Pick<RegisteredWorker, 'registration' | 'worker'>> {
  const { container, scriptUrl, scope } = options
  const registration = await (before === undefined
    ? container.register(scriptUrl, { scope })
    : lookForNewer(before, options))
  const worker = registration.installing ?? registration.waiting ?? registration.active
  if (worker === null) throw new Error('The registration has no worker.')
  await waitUntil(worker, 'statechange', () => worker.state === 'activated' || worker.state === 'redundant')
  if (worker.state === 'redundant') throw new Error('The worker failed while it was installed.')
  return { registration, worker }
}

/**
 * Makes the browser check for a newer script. If the network is down or too slow, the worker of the earlier visit stays.
 */
async function lookForNewer(
  registration: ServiceWorkerRegistration,
  options: RegisterOptions,
): Promise<ServiceWorkerRegistration> {
  const patience = AbortSignal.timeout(NETWORK_PATIENCE_MS)
  try {
    return await waitFor(look(registration, options), patience, () => new Error('The network does not answer.'))
  } catch (error) {
    if (registration.active === null || (!patience.aborted && (await isInReach(options.scriptUrl, patience))))
      throw error
    return registration
  }
}

/**
 * Changing the cache mode of a registration checks for updates at once, while `update()` in Firefox waits for a second
 * (`dom.serviceWorkers.update_delay`). The mode only matters for imported scripts, and msw's script imports none. The
 * default mode comes last, because Chromium revives a registration that is being removed only with the same mode. Without
 * a network, the first mode may stay until the next visit.
 */
async function look(
  { updateViaCache }: ServiceWorkerRegistration,
  { container, scriptUrl, scope }: RegisterOptions,
): Promise<ServiceWorkerRegistration> {
  if (updateViaCache !== 'none') await container.register(scriptUrl, { scope, updateViaCache: 'none' })
  return container.register(scriptUrl, { scope, updateViaCache: 'imports' })
}

async function isInReach(scriptUrl: string, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(scriptUrl, { cache: 'no-store', signal })
    await answer.body?.cancel()
    return true
  } catch {
    return false
  }
}
