// What tests do in a page of their own: `commands.runPage` calls one of these there.
import { createMock } from '../../src/index.ts'
import { startWorker, type WorkerOptions } from '../../src/runtimes/browser.ts'
import type { Mode } from './features.ts'

const headers = { authorization: 'Bearer demo-key' }

async function inBothModes(ask: (mode: Mode) => Promise<string>): Promise<Record<Mode, string>> {
  return { worker: await ask('worker'), page: await ask('page') }
}

/** Whether a page gets answers of the mock at another origin, in each mode. */
export function answerElsewhere(): Promise<Record<Mode, string>> {
  return inBothModes(async (mode) => {
    try {
      await using _worker = await startWorker(createMock(), { mode })
      const { status } = await fetch('https://api.petstore.example/v1/inventory', { headers })
      return status === 200 ? 'yes' : String(status)
    } catch {
      return 'no'
    }
  })
}

/** Whether a second mock in the page restores the state of the first, in each mode. */
export function keepState(): Promise<Record<Mode, string>> {
  return inBothModes(async (mode) => {
    const first = createMock()
    const worker = await startWorker(first, { mode, persist: mode })
    first.inventory.set(1, { quantity: 77 })
    await worker.stop()
    const second = createMock()
    await using _worker = await startWorker(second, { mode, persist: mode })
    return second.inventory.get(1)?.quantity === 77 ? 'yes' : 'no'
  })
}

/** What becomes of a synchronous XMLHttpRequest. */
export async function sendSynchronously(mode: Mode): Promise<string> {
  await using _worker = await startWorker(createMock(), { mode })
  const request = new XMLHttpRequest()
  request.open('GET', '/v1/inventory', false)
  request.setRequestHeader('authorization', headers.authorization)
  // Another one under way must make no difference.
  void fetch('/v1/inventory', { headers })
  try {
    request.send()
  } catch (error) {
    return `fails: ${(error as Error).name}`
  }
  return request.status === 200 ? 'yes' : 'no'
}

export function start(options: WorkerOptions): Promise<string> {
  return startWorker(createMock(), options).then(
    () => 'started',
    (error: Error) => error.message,
  )
}

/** Starts a worker that never answers the page. The deadline of the start passes once the worker has been asked. */
export function startUnanswered(options: WorkerOptions): Promise<string> {
  const deadline = new AbortController()
  AbortSignal.timeout = () => deadline.signal
  const { postMessage } = ServiceWorker.prototype
  ServiceWorker.prototype.postMessage = function (...given: unknown[]) {
    Reflect.apply(postMessage, this, given)
    deadline.abort()
  }
  return start(options)
}

/** A script of another msw, and then the right one in the same page. */
export async function startAfterError(): Promise<string[]> {
  const refused = await start({ workerUrl: '/msw-2.js' })
  const registrations = await navigator.serviceWorker.getRegistrations()
  return [refused, `${registrations.length} workers`, await start({})]
}

/** Starts and stops in the browser's only page, where msw's worker unregisters itself on each stop. */
export async function startAgain(): Promise<string[]> {
  const seen: string[] = []
  for (let turn = 0; turn < 3; turn++) {
    const worker = await startWorker(createMock())
    const { status } = await fetch('/_mock/health')
    await worker.stop()
    const registrations = await navigator.serviceWorker.getRegistrations()
    seen.push(`${status}, then ${(await fetch('/_mock/health')).status} with ${registrations.length} workers`)
  }
  return seen
}

/** Which worker answers on the second visit if `update()` never settles. */
export async function findNewer({ isChanged }: { isChanged: boolean }): Promise<string> {
  const workerUrl = `/changing.js?${crypto.randomUUID()}`
  const registration = await visit(workerUrl, isChanged)
  const earlier = registration.active
  ServiceWorkerRegistration.prototype.update = () => new Promise(() => {})
  await startWorker(createMock(), { workerUrl })
  return findNewest(registration) === earlier ? 'the earlier one' : 'the newer one'
}

/** A visit that registers a worker, and another visit after the script has changed. */
export async function startAfterChange(): Promise<number> {
  const workerUrl = '/changing.js?start-after-change'
  const registration = await visit(workerUrl, true)
  await startWorker(createMock(), { workerUrl })
  await registration.update()
  const newest = findNewest(registration)
  while (newest !== null && newest.state !== 'activated') {
    await new Promise((resolve) => newest.addEventListener('statechange', resolve, { once: true }))
  }
  return (await fetch('/_mock/health')).status
}

/** An earlier visit, after which the script may change. */
async function visit(workerUrl: string, isChanged: boolean): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(workerUrl)
  const registration = await navigator.serviceWorker.ready
  if (isChanged) await fetch(workerUrl, { method: 'POST' })
  return registration
}

function findNewest({ installing, waiting, active }: ServiceWorkerRegistration): ServiceWorker | null {
  return installing ?? waiting ?? active
}
