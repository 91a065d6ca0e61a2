import { createErrorAnswer } from './error-response.ts'
import { hideInAddress } from './hide-credentials.ts'
import { createPathMatcher, type PathMatcher, type PathParams } from './path-template.ts'
import type { Answer } from './wire-response.ts'

/** What a route is found by. */
export interface RoutePattern {
  /** In upper case. */
  readonly method: string
  /** In OpenAPI's form: `/inventory/{petId}`. */
  readonly path: string
}

/** Where a method and a path lead. */
export type RouteMatch<Route> =
  | { readonly kind: 'found'; readonly route: Route; readonly params: PathParams }
  | { readonly kind: 'wrong-method'; readonly allow: string }
  | { readonly kind: 'unknown' }

/** Finds the route of a method and a path, still percent-encoded. `HEAD` goes where `GET` goes. */
export type Router<Route> = (method: string, path: string) => RouteMatch<Route>

interface Resource<Route> {
  readonly match: PathMatcher
  readonly routes: ReadonlyMap<string, Route>
  readonly allow: string
}

/** Makes the router of a list of routes; of templates that fit the same path the first one counts. */
export function createRouter<Route extends RoutePattern>(routes: readonly Route[]): Router<Route> {
  const resources = Array.from(
    Map.groupBy(routes, ({ path }) => path),
    ([path, group]) => toResource(path, group),
  )
  return (method, path) => {
    const segments = path.split('/')
    for (const { match, routes, allow } of resources) {
      const params = match(segments)
      if (params === undefined) continue
      const route = routes.get(method === 'HEAD' ? 'GET' : method)
      return route === undefined ? { kind: 'wrong-method', allow } : { kind: 'found', route, params }
    }
    return { kind: 'unknown' }
  }
}

/** The answer to a method that a path has not (RFC 9110, section 15.5.6). */
export function refuseMethod({ method, path }: { method: string; path: string }, allow: string): Answer {
  const message = `${method} is not allowed on ${hideInAddress(path)}. Allowed: ${allow}`
  return createErrorAnswer('method_not_allowed', message, { allow })
}

function toResource<Route extends RoutePattern>(path: string, routes: readonly Route[]): Resource<Route> {
  return {
    match: createPathMatcher(path),
    routes: new Map(routes.map((route) => [route.method, route])),
    allow: routes.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method)).join(', '),
  }
}
