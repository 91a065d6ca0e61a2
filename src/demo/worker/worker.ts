/** Set by the build: the page's files, relative to the page ('') and named with a content hash. */
declare const DEMO_FILES: readonly string[]
/** Set by the build: a name that is unique to its content. */
declare const DEMO_BUILD: string

declare const self: ServiceWorkerGlobalScope & {
  /** Set by `petstore-mock demo build`: a name that is unique to its data. */
  readonly demoData?: string
}

// The page is served from the cache first; only the check for a newer worker uses the network. The demo therefore opens
// at once, even offline or on a slow network, and always with the files of one build. A newer build has another worker,
// which caches its own files before it takes over. The page checks for it on every start and reloads itself then.

const { registration } = self
const { scope } = registration
// All folders of an origin share the names of caches.
const prefix = `petstore-mock demo ${scope} `
const name = prefix + DEMO_BUILD + (self.demoData ?? '')
const files = new Set(DEMO_FILES.map((file) => new URL(file, scope).href))

/** Caches all files of this build. A full disk must not prevent the start. */
async function keepFiles(): Promise<void> {
  try {
    const cache = await caches.open(name)
    await cache.addAll(Array.from(files, (file) => new Request(file, { cache: 'reload' })))
  } catch (error) {
    console.warn('The demo will not open offline:', error)
  }
}

/** Deletes the caches of earlier builds. */
async function dropOlder(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((each) => each.startsWith(prefix) && each !== name).map((each) => caches.delete(each)))
}

/** The URL of the file that a request asks for; `undefined` for other requests. */
function toFile({ method, url }: Request): string | undefined {
  const file = url.replace(/[?#].*/s, '').replace(/\/index\.html$/, '/')
  return method === 'GET' && files.has(file) ? file : undefined
}

self.addEventListener('install', (event) => event.waitUntil(keepFiles()))
self.addEventListener('activate', (event) => event.waitUntil(dropOlder()))
self.addEventListener('fetch', (event) => {
  const file = toFile(event.request)
  if (file === undefined) return
  event.stopImmediatePropagation()
  event.respondWith(caches.match(file, { cacheName: name }).then((response) => response ?? fetch(event.request)))
})

// msw's worker waits without a limit for a page's response, even if the page was closed (`sendToClient` in
// https://github.com/mswjs/msw/blob/main/src/mockServiceWorker.js). A newer worker takes over only once the current one is
// idle, so a single lost response would keep the demo from starting. Such requests therefore fail once a newer worker is
// installed.

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
    const error = new Error('A newer build of the demo takes over.')
    const fail = (): boolean => port1.dispatchEvent(new MessageEvent('message', { data: { error } }))
    pending.add(fail)
    port1.addEventListener('message', () => pending.delete(fail))
    if (registration.waiting !== null) queueMicrotask(fail)
  }
}

// msw's worker unregisters itself when its last page closes. The next visit would then need the network.
ServiceWorkerRegistration.prototype.unregister = async () => false
