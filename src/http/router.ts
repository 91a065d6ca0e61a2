import { createErrorResponse } from './error-response.ts'
import { hideInAddress } from './hide-credentials.ts'
import type { WireResponse } from './wire-response.ts'

/** The parameters of a path, decoded, by name. */
export type PathParams = Readonly<Record<string, string>>

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
export function refuseMethod({ method, path }: { method: string; path: string }, allow: string): WireResponse {
  const message = `${method} is not allowed on ${hideInAddress(path)}. Allowed: ${allow}`
  return createErrorResponse('method_not_allowed', message, { allow })
}

function toResource<Route extends RoutePattern>(path: string, routes: readonly Route[]): Resource<Route> {
  return {
    match: createPathMatcher(path),
    routes: new Map(routes.map((route) => [route.method, route])),
    allow: routes.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method)).join(', '),
  }
}

/** Tells whether the segments of a path, still percent-encoded, have the form of a template: `undefined` where not. */
type PathMatcher = (segments: readonly string[]) => PathParams | undefined

/** Makes the matcher of a template in OpenAPI's form: `/inventory/{petId}`. A parameter may be empty. */
function createPathMatcher(template: string): PathMatcher {
  const parts = template.split('/').map((text) => ({ text, name: /^\{(.*)\}$/.exec(text)?.[1] }))
  return (segments) => {
    if (segments.length !== parts.length) return undefined
    const params: Record<string, string> = {}
    for (const [index, { text, name }] of parts.entries()) {
      const segment = decode(segments[index] ?? '')
      if (name !== undefined) params[name] = segment
      else if (text !== segment) return undefined
    }
    return params
  }
}

/** A segment that is not percent-encoded UTF-8 stays as it is: no parameter allows a bare `%`. */
function decode(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Where the control API lies, beside the service's base path. */
export const CONTROL_PATH = '/_mock'

export function isControlPath(path: string): boolean {
  return path === CONTROL_PATH || path.startsWith(`${CONTROL_PATH}/`)
}
