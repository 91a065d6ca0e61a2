import type { http as mswHttp, RequestHandler } from 'msw'
import { OPERATIONS } from '../contract/operations.gen.ts'
import type { BaseUrl } from '../http/base-url.ts'
import type { MockService } from '../service/mock-service.ts'

/** The part of a mock that handles requests. */
export type AnsweringService = Pick<MockService, 'bases' | 'covers'> & { fetch(request: Request): Promise<Response> }

type MethodName = Lowercase<(typeof OPERATIONS)[number]['method']>

/**
 * One handler for each operation and base URL, and others for the control API and all remaining paths.
 * @param http That of msw, which a page loads on demand.
 */
export function createServiceHandlers(service: AnsweringService, http: typeof mswHttp): RequestHandler[] {
  const covers = ({ request }: { request: Request }): boolean => service.covers(new URL(request.url))
  const answer = ({ request }: { request: Request }): Promise<Response> | undefined =>
    // `*` also matches longer paths that the mock does not cover. With `undefined`, msw runs the next handler.
    covers({ request }) ? service.fetch(request).catch(() => Response.error()) : undefined
  return [
    http.all(({ request }) => covers({ request }) && !isDecodable(request), answer),
    ...service.bases.flatMap((base) =>
      OPERATIONS.map(({ method, path }) => http[method.toLowerCase() as MethodName](toMswPath(base, path), answer)),
    ),
    http.all(covers, answer),
  ]
}

/** The path of an operation in msw's syntax, `/v1/inventory/:petId`, after one origin or `*` for all of them. */
function toMswPath({ origin = '*', path: basePath }: BaseUrl, path: string): string {
  return `${origin}${basePath}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
}

/**
 * msw 2 throws for a path that it cannot decode
 * (https://github.com/mswjs/msw/blob/v2.15.0/src/core/utils/matching/matchRequestUrl.ts).
 */
function isDecodable({ url }: Request): boolean {
  try {
    decodeURIComponent(new URL(url).pathname)
    return true
  } catch {
    return false
  }
}
