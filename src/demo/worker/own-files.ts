/** Put in by the build: the files of the page, relative to it, with what is in them in their names; the page is ''. */
declare const DEMO_FILES: readonly string[]
/** Put in by the build: another name for every build that differs. */
declare const DEMO_BUILD: string

/** The names of a folder's caches, of which the one of the present build is used. An origin has one list of names. */
const PREFIX = 'petstore-mock demo'

/** The page's own files, kept in the browser. */
export interface OwnFiles {
  /** Keeps all files of this build. */
  keep(): Promise<void>
  /** Drops what earlier builds have kept. */
  dropOlder(): Promise<void>
  /** The file that a request is for, if it is for one. */
  toFile(request: Request): URL | undefined
  /** A kept file, or the network's where it is not kept. */
  answer(request: Request, file: URL): Promise<Response>
}

/** @param scope The address of the demo's folder. */
export function createOwnFiles(scope: string): OwnFiles {
  const prefix = `${PREFIX} ${scope} `
  const name = prefix + DEMO_BUILD
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
