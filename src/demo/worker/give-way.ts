declare const self: ServiceWorkerGlobalScope

// msw's worker waits without a limit for a page's response, even if the page was closed (`sendToClient` in
// https://github.com/mswjs/msw/blob/main/src/mockServiceWorker.js). A newer worker takes over only once the current one is
// idle, so a single lost response would keep the demo from starting. Such requests therefore fail once a newer worker is
// installed.

const { registration } = self
const pending = new Set<() => void>()

registration.addEventListener('updatefound', () => {
  const newer = registration.installing
  newer?.addEventListener('statechange', () => {
    if (newer.state === 'installed') for (const fail of pending) fail()
  })
})

/** msw's worker opens a channel for each request that it passes to a page. */
globalThis.MessageChannel = class extends MessageChannel {
  constructor() {
    super()
    const { port1 } = this
    const fail = (): boolean => port1.dispatchEvent(new MessageEvent('message', { data: { error: toError() } }))
    pending.add(fail)
    port1.addEventListener('message', () => pending.delete(fail))
    if (registration.waiting !== null) queueMicrotask(fail)
  }
}

function toError(): Error {
  return new Error('A newer build of the demo takes over.')
}

// msw's worker unregisters itself when its last page closes. The next visit would then need the network.
ServiceWorkerRegistration.prototype.unregister = async () => false
