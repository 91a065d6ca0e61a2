import { http, type RequestHandler } from 'msw'
import { OPERATIONS } from '../contract/operations.gen.ts'
import type { BaseUrl } from '../http/base-url.ts'
import { markHandlers } from '../sandbox/user-handler.ts'
import { type Mock, toService } from '../service/mock.ts'

type Info = { readonly request: Request }
type MethodName = Lowercase<(typeof OPERATIONS)[number]['method']>

/**
 * Creates msw handlers for your own `setupServer` or `setupWorker`: one for each operation and base URL, and others for
 * the control API and all remaining paths below a base path.
 * @throws {MockError} `INVALID_OPTION` when the argument is not a mock.
 * @example
 * const server = setupServer(...createHandlers(createMock()), ...yourHandlers)
 */
export function createHandlers(mock: Mock): RequestHandler[] {
  const { bases, covers, fetch } = toService(mock, 'Failed to create handlers')
  const isCovered = ({ request }: Info): boolean => covers(new URL(request.url))
  const answer = ({ request }: Info): Promise<Response> => fetch(request).catch(() => Response.error())
  // `*` also matches longer paths that the mock does not cover. With `undefined`, msw runs the next handler.
  const answerCovered = (info: Info): Promise<Response> | undefined => (isCovered(info) ? answer(info) : undefined)
  return markHandlers([
    http.all((info) => isCovered(info) && !isDecodable(info.request), answer),
    ...bases.flatMap((base) =>
      OPERATIONS.map(({ method, path }) =>
        http[method.toLowerCase() as MethodName](toMswPath(base, path), answerCovered),
      ),
    ),
    http.all(isCovered, answer),
  ])
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
