import { createOwnFiles } from './own-files.ts'

declare const self: ServiceWorkerGlobalScope

// The page comes out of the cache first, and the network is asked for nothing but a newer worker: so the demo opens at
// once and whole, also without a network, and on one that leaves it waiting. All files are of one build. A newer build
// has another worker, which keeps its own files before it takes over; the page looks for it at every start, and loads
// itself again where there is one.

const files = createOwnFiles(self.registration.scope)

self.addEventListener('install', (event) => {
  // A full disk is no reason not to start.
  event.waitUntil(files.keep().catch((error: unknown) => console.warn('The demo will need the network:', error)))
})

self.addEventListener('activate', (event) => event.waitUntil(files.dropOlder()))

self.addEventListener('fetch', (event) => {
  const file = files.toFile(event.request)
  if (file === undefined) return
  event.stopImmediatePropagation()
  event.respondWith(files.answer(event.request, file))
})
