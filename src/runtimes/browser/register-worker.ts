import { explainRefusal } from './explain-refusal.ts'
import { waitFor, waitUntil } from './wait-for.ts'
import { createWorkerError } from './worker-error.ts'

/** How long a newer script is waited for, in milliseconds. */
const NETWORK_PATIENCE_MS = 4000

/** A worker that is active and the newest of its script. */
export interface RegisteredWorker {
  readonly registration: ServiceWorkerRegistration
  readonly worker: ServiceWorker
  /** Whether the page had no such worker before. */
  readonly isNew: boolean
  /** Takes a new worker out again; leaves one that was there before. */
  withdraw(): Promise<void>
}

export interface RegisterOptions {
  readonly container: ServiceWorkerContainer
  /** Both absolute. */
  readonly scriptUrl: string
  readonly scope: string
  readonly deadline: AbortSignal
}

/**
 * Registers the script ahead of msw, for three things that msw leaves undone: it tells why a browser refuses a script;
 * it does not wait for ever for a worker that does not come up; and it lets a worker of an earlier visit be replaced by
 * its new version before the start. msw does so in the background, and requests then go past the new worker, or hang.
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
 * Has the browser look for a newer script. Without a network there is none to be had, and the worker of the earlier
 * visit goes on, as it does on a network that leaves one waiting.
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
 * A registration whose cache mode changes is looked after at once, where Firefox makes `update()` wait for a second
 * (`dom.serviceWorkers.update_delay`). The modes differ in scripts that the script imports; msw's imports none. The
 * usual mode comes last: in Chromium a registration that is on its way out would not be taken back with another. Where
 * there is no network the first mode may stay, until the next visit.
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
