import { createMock } from '../../../src/index.ts'
import { startWorker } from '../../../src/runtimes/browser.ts'

/** Which worker answers on the second visit if `update()` never settles. */
export async function run({ isChanged }: { isChanged: boolean }): Promise<string> {
  const workerUrl = `/changing.js?${crypto.randomUUID()}`
  await navigator.serviceWorker.register(workerUrl)
  const registration = await navigator.serviceWorker.ready
  const earlier = registration.active
  if (isChanged) await fetch(workerUrl, { method: 'POST' })
  ServiceWorkerRegistration.prototype.update = () => new Promise(() => {})
  await startWorker(createMock(), { workerUrl })
  const { installing, waiting, active } = registration
  return (installing ?? waiting ?? active) === earlier ? 'the earlier one' : 'the newer one'
}
