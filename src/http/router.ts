import { createErrorResponse } from './error-response.ts'
import { hideInAddress } from './hide-credentials.ts'
import type { WireRequest } from './wire-request.ts'
import type { WireResponse } from './wire-response.ts'

/** The percent-decoded path parameters by name. */
export type PathParams = Readonly<Record<string, string>>

/** The method and path template of a route. */
export interface RoutePattern {
  /** In upper case. */
  readonly method: string
  /** In OpenAPI's form: `/inventory/{petId}`. */
  readonly path: string
}

/** The result of a route lookup. */
export type RouteMatch<Route> =
  | { readonly kind: 'found'; readonly route: Route; readonly params: PathParams }
  | { readonly kind: 'wrong-method'; readonly allow: string }
  | { readonly kind: 'unknown' }

/** Finds the route of a method and a percent-encoded path. `HEAD` matches the `GET` route. Without a path, there is none. */
export type Router<Route> = (method: string, path: string | undefined) => RouteMatch<Route>

/** Creates a router. A path without parameters is matched before templates that also fit, as OpenAPI requires. */
export function createRouter<Route extends RoutePattern>(routes: readonly Route[]): Router<Route> {
  const countParameters = (path: string): number => path.split('{').length - 1
  const resources = Array.from(Map.groupBy(routes, ({ path }) => path))
    .sort(([one], [other]) => countParameters(one) - countParameters(other))
    .map(([path, group]) => ({ match: createPathMatcher(path), group }))
  return (method, path) => {
    if (path === undefined) return { kind: 'unknown' }
    const segments = path.split('/')
    const wanted = method === 'HEAD' ? 'GET' : method
    for (const { match, group } of resources) {
      const params = match(segments)
      if (params === undefined) continue
      const route = group.find((each) => each.method === wanted)
      return route === undefined
        ? { kind: 'wrong-method', allow: listMethods(group) }
        : { kind: 'found', route, params }
    }
    return { kind: 'unknown' }
  }
}

function listMethods(routes: readonly RoutePattern[]): string {
  return routes.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method)).join(', ')
}

/** The response when a path does not support the method (RFC 9110, section 15.5.6). */
export function refuseMethod(
  { method, path }: Pick<WireRequest, 'method' | 'path'>,
  allow: string,
  suggestion = '',
): WireResponse {
  const message = `${method} is not allowed on ${hideInAddress(path)}. Allowed: ${allow}${suggestion && `.${suggestion}`}`
  return createErrorResponse('method_not_allowed', message, { headers: { allow } })
}

/** Matches percent-encoded path segments against a template. Returns `undefined` when they do not match. */
type PathMatcher = (segments: readonly string[]) => PathParams | undefined

/** Compiles an OpenAPI path template such as `/inventory/{petId}`. A parameter matches no empty segment. */
export function createPathMatcher(template: string): PathMatcher {
  const parts = template.split('/').map((text) => ({ text, name: /^\{(.*)\}$/.exec(text)?.[1] }))
  return (segments) => {
    if (segments.length !== parts.length) return undefined
    const params: Record<string, string> = {}
    for (const [index, { text, name }] of parts.entries()) {
      const segment = decode(segments[index] ?? '')
      if (name === undefined ? text !== segment : segment === '') return undefined
      if (name !== undefined) params[name] = segment
    }
    return params
  }
}

/** Leaves a malformed segment as it is: it keeps its `%`, which no parameter's schema accepts. */
function decode(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
