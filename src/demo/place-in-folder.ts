import { type Mock, toService, withService } from '../service/mock.ts'

/**
 * Mounts a mock in a folder of the page's origin, like a reverse proxy that strips a path prefix: the mock and its
 * journal see paths without the folder. The mock answers nothing else on the origin.
 * @param folder With a trailing slash.
 */
export function placeInFolder(mock: Mock, folder: URL): Mock {
  const service = toService(mock)
  const controls: Mock = {
    ...mock,
    async fetch(input, init) {
      const request = new Request(input, init)
      const inner = toInner(new URL(request.url), folder)
      if (inner === undefined) throw new TypeError(`Failed to fetch: ${request.url} is outside ${folder.href}.`)
      return mock.fetch(await toMoved(request, inner))
    },
  }
  return withService(controls, {
    ...service,
    covers(url) {
      const inner = toInner(url, folder)
      return inner !== undefined && service.covers(inner)
    },
  })
}

function toInner(url: URL, { origin, pathname }: URL): URL | undefined {
  if (url.origin !== origin || !url.pathname.startsWith(pathname)) return undefined
  const inner = new URL(url)
  inner.pathname = url.pathname.slice(pathname.length - 1)
  return inner
}

/** Firefox has no `Request.body`, so copying a `Request` would lose its body there. */
async function toMoved(request: Request, url: URL): Promise<Request> {
  const { method, headers, signal } = request
  const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer()
  return new Request(url, { method, headers, signal, body })
}
