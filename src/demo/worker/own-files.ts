/** Set by the build: the page's files, relative to the page ('') and named with a content hash. */
declare const DEMO_FILES: readonly string[]
/** Set by the build: a name that is unique to its content. */
declare const DEMO_BUILD: string

declare const self: ServiceWorkerGlobalScope & {
  /** Set by `petstore-mock demo build`: a name that is unique to its data. */
  readonly demoData?: string
}

/** The prefix of cache names, which all folders of an origin share. Only the cache of the current build is used. */
const PREFIX = 'petstore-mock demo'

/** The page's own files, cached in the browser. */
interface OwnFiles {
  /** Caches all files of this build. */
  keep(): Promise<void>
  /** Deletes the caches of earlier builds. */
  dropOlder(): Promise<void>
  /** The URL of the file that a request asks for; `undefined` for other requests. */
  toFile(request: Request): URL | undefined
  /** A file from the cache, or else from the network. */
  answer(request: Request, file: URL): Promise<Response>
}

/** @param scope The URL of the demo's folder. */
export function createOwnFiles(scope: string): OwnFiles {
  const prefix = `${PREFIX} ${scope} `
  const name = prefix + DEMO_BUILD + (self.demoData ?? '')
  const files = new Set(DEMO_FILES.map((file) => new URL(file, scope).href))
  return {
    async keep() {
      const cache = await caches.open(name)
      await cache.addAll(Array.from(files, (file) => new Request(file, { cache: 'reload' })))
    },
    async dropOlder() {
      const names = await caches.keys()
      await Promise.all(
        names.filter((each) => each.startsWith(prefix) && each !== name).map((each) => caches.delete(each)),
      )
    },
    toFile({ method, url }) {
      if (method !== 'GET') return undefined
      const file = new URL(url)
      file.search = ''
      file.hash = ''
      if (file.href === `${scope}index.html`) return new URL(scope)
      return files.has(file.href) ? file : undefined
    },
    async answer(request, file) {
      const cache = await caches.open(name)
      return (await cache.match(file)) ?? fetch(request)
    },
  }
}

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
