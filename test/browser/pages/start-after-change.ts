import { createMock } from '../../../src/index.ts'
import { startWorker } from '../../../src/runtimes/browser.ts'

/** A visit that registers a worker, and another visit after the script has changed. */
export async function run(): Promise<number> {
  await navigator.serviceWorker.register('/changing.js?start-after-change')
  const registration = await navigator.serviceWorker.ready
  await fetch('/changing.js?start-after-change', { method: 'POST' })
  await startWorker(createMock(), { workerUrl: '/changing.js?start-after-change' })
  await registration.update()
  await settle(registration)
  return (await fetch('/_mock/health')).status
}

/** Waits until an installing worker is active. */
async function settle({ installing, waiting, active }: ServiceWorkerRegistration): Promise<void> {
  const newest = installing ?? waiting ?? active
  while (newest !== null && newest.state !== 'activated') {
    await new Promise((resolve) => newest.addEventListener('statechange', resolve, { once: true }))
  }
}
