import type { http as mswHttp, RequestHandler } from 'msw'
import { OPERATIONS } from '../contract/operations.gen.ts'
import type { BaseUrl } from '../http/base-url.ts'
import type { MockService } from '../service/mock-service.ts'

/** The part of a mock that handles requests. */
export type AnsweringService = Pick<MockService, 'bases' | 'covers'> & { fetch(request: Request): Promise<Response> }

type MethodName = Lowercase<(typeof OPERATIONS)[number]['method']>

/**
 * One handler for each operation and base URL, which msw can list, and one for everything else.
 * @param http That of msw.
 */
export function createServiceHandlers(service: AnsweringService, http: Http): RequestHandler[] {
  const covers = ({ request }: { request: Request }): boolean => service.covers(new URL(request.url))
  const everything = createServiceHandler(service, http)
  // `*` also matches longer paths that the mock does not cover. With `undefined`, msw runs the next handler.
  const answer: Resolver = ({ request }) => (covers({ request }) ? respond(service, request) : undefined)
  return [
    http.all(({ request }) => covers({ request }) && !isDecodable(request), answer),
    ...service.bases.flatMap((base) =>
      OPERATIONS.map(({ method, path }) => http[method.toLowerCase() as MethodName](toMswPath(base, path), answer)),
    ),
    everything,
  ]
}

/** One handler, which matches exactly the requests that the mock covers. Others are unhandled, and msw says so. */
export function createServiceHandler(service: AnsweringService, http: Http): RequestHandler {
  return http.all(
    ({ request }) => service.covers(new URL(request.url)),
    ({ request }) => respond(service, request),
  )
}

type Http = typeof mswHttp
type Resolver = (info: { request: Request }) => Promise<Response> | undefined

function respond(service: AnsweringService, request: Request): Promise<Response> {
  return service.fetch(request).catch(() => Response.error())
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
