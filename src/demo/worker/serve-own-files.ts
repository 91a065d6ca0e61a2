import { createOwnFiles } from './own-files.ts'

declare const self: ServiceWorkerGlobalScope

// The page is served from the cache first; only the check for a newer worker uses the network. The demo therefore opens
// at once, even offline or on a slow network, and always with the files of one build. A newer build has another worker,
// which caches its own files before it takes over. The page checks for it on every start and reloads itself then.

const files = createOwnFiles(self.registration.scope)

self.addEventListener('install', (event) => {
  // A full disk must not prevent the start.
  event.waitUntil(files.keep().catch((error: unknown) => console.warn('The demo will not open offline:', error)))
})

self.addEventListener('activate', (event) => event.waitUntil(files.dropOlder()))

self.addEventListener('fetch', (event) => {
  const file = files.toFile(event.request)
  if (file === undefined) return
  event.stopImmediatePropagation()
  event.respondWith(files.answer(event.request, file))
})
