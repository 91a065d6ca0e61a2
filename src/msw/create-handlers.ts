import { http, type RequestHandler } from 'msw'
import { OPERATIONS } from '../contract/operations.gen.ts'
import type { BaseUrl } from '../http/base-url.ts'
import type { Mock } from '../service/create-mock.ts'

/** The part of a mock that answers requests. */
export type AnsweringMock = Pick<Mock, 'bases' | 'covers'> & { fetch(request: Request): Promise<Response> }

type MethodName = Lowercase<(typeof OPERATIONS)[number]['method']>

/**
 * The mock as msw handlers, for a `setupServer` or `setupWorker` of your own: one handler for each operation, with its
 * method and path (and base URL, where there are several), and one for everything else below the base path and for the control API.
 * @example
 * const server = setupServer(...createHandlers(createMock()), ...yourHandlers)
 */
export function createHandlers(mock: AnsweringMock): RequestHandler[] {
  const covers = ({ request }: { request: Request }): boolean => mock.covers(new URL(request.url))
  const answer = ({ request }: { request: Request }): Promise<Response> | undefined =>
    // A `*` in a path also matches longer paths, which the mock does not cover: msw asks the next handler.
    covers({ request }) ? mock.fetch(request).catch(() => Response.error()) : undefined
  return [
    http.all(({ request }) => covers({ request }) && !isDecodable(request), answer),
    ...mock.bases.flatMap((base) =>
      OPERATIONS.map(({ method, path }) => http[method.toLowerCase() as MethodName](toMswPath(base, path), answer)),
    ),
    http.all(covers, answer),
  ]
}

/** The path of an operation below the base path, as msw writes it: `/v1/inventory/:petId`, on any origin or on one. */
function toMswPath({ origin = '*', path: basePath }: BaseUrl, path: string): string {
  return `${origin}${basePath}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
}

/** msw 2 throws on a path it cannot decode (https://github.com/mswjs/msw/blob/v2.15.0/src/core/utils/matching/matchRequestUrl.ts). */
function isDecodable({ url }: Request): boolean {
  try {
    decodeURIComponent(new URL(url).pathname)
    return true
  } catch {
    return false
  }
}
