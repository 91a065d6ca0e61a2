import type { Mock } from '../service/mock.ts'
import { toService, withService } from '../service/mock-service.ts'

/**
 * Places a mock in a folder of the page's origin, as a proxy with a path of its own would: the service and `/_mock` lie
 * below it, and the mock sees, and notes in its journal, the paths without it. Nothing else of the origin is touched.
 * @param folder With a slash at its end.
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

/** Firefox has no `Request.body`, so that a `Request` made of another would lose it there. */
async function toMoved(request: Request, url: URL): Promise<Request> {
  const { method, headers, signal } = request
  const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer()
  return new Request(url, { method, headers, signal, body })
}
