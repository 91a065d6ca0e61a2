import { isBelow, isLoopback } from '../http/base-url.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { suggest } from '../http/quote.ts'
import { createRouter, isControlPath } from '../http/router.ts'
import { OPERATION_LIST } from '../operations/operations.ts'
import type { UserHandler } from '../sandbox/user-handler.ts'
import { listIntercepted } from './intercepted.ts'
import type { ParsedOptions } from './parse-options.ts'
import type { RequestContext } from './request-context.ts'
import { addStubMethods } from './stubs.ts'

/** The message of a 404 for a path that neither the specification nor the user defines. */
export function explainMissingRoute(context: RequestContext): string {
  const { options } = context
  const { method, path } = context.request
  const sentence = `There is no route ${method} ${hideInAddress(path)} in petstore-mock`
  const hint = explainHandler(context) ?? explainStub(context) ?? explainControl(context)
  if (hint !== undefined) return `${sentence}. ${hint}`
  const suggestion = suggestPath(context)
  if (suggestion !== '') return `${sentence}.${suggestion}`
  if (!isBelow(options.baseUrl, path)) return `${sentence}. Its API is below ${listBasePaths(options)}`
  return `${sentence}${explainOrigin(context, options)}`
}

/**
 * Returns ` Did you mean /v1/inventory?` for a path that differs from one of the service in its base path, its slashes or
 * a misspelt name. Append it to the sentence that refuses the path.
 */
export function suggestPath({ request: { method, path }, options: { baseUrl } }: RequestContext): string {
  const segments = path.split('/').filter((segment) => segment !== '')
  for (const operation of OPERATION_LIST) {
    const parts = operation.path.slice(1).split('/')
    const last = segments.slice(-parts.length)
    if (operation.method !== method || !isSimilar(last, parts)) continue
    const base = baseUrl.find((each) => isBelow([each], path)) ?? baseUrl[0]
    const meant = [base?.path, ...parts.map((part, index) => (isParameter(part) ? last[index] : part))].join('/')
    return ` Did you mean ${hideInAddress(meant)}?`
  }
  return ''
}

function isSimilar(segments: readonly string[], parts: readonly string[]): boolean {
  if (segments.length !== parts.length) return false
  return parts.every((part, index) => isParameter(part) || suggest(segments[index] ?? '', [part]) !== '')
}

function isParameter(part: string): boolean {
  return part.startsWith('{')
}

/** Names a handler that was meant for this request, but did not respond to it. */
export function explainHandler(context: RequestContext): string | undefined {
  const { pathBelow, sandbox, options } = context
  const { method, path } = context.request
  const handlers = [...sandbox.handlers, ...options.handlers].flatMap(toRoute)
  const own = handlers.filter((handler) => handler.allows(method))
  const lacking = own.find((handler) => !handler.path.startsWith('*') && isMatch(handler.path, pathBelow))
  if (lacking !== undefined)
    return `Your handler for ${hideInAddress(lacking.path)} lacks the base path ${listBasePaths(options)}`
  const silent = own.find((handler) => isMatch(handler.path, path))
  if (silent !== undefined)
    return `Your handler for ${hideInAddress(silent.path)} did not respond: it returned nothing, or is for another origin`
  const other = handlers.find((handler) => isMatch(handler.path, path))
  return other && `Your handler for ${hideInAddress(other.path)} is for another method: ${other.header}`
}

function explainStub({ pathBelow, options }: RequestContext): string | undefined {
  const methods = addStubMethods('', { findStub: options.findStub, path: pathBelow })
  return methods === '' ? undefined : `The stub of this path is for another method: ${methods}`
}

/** Without an origin in its base URL, a mock that intercepts requests answers those to other services, too. */
function explainOrigin({ request }: RequestContext, { baseUrl }: ParsedOptions): string {
  const { location } = globalThis as { location?: { origin: string } }
  const isIntercepted = location !== undefined || listIntercepted().size > 0
  if (!isIntercepted || baseUrl.some(({ origin }) => origin !== undefined)) return ''
  const { hostname, origin } = request.url
  // The petstore's addresses in the documentation.
  if (origin === location?.origin || isLoopback(hostname) || /(?:^|\.)petstore\.example$/.test(hostname)) return ''
  return `. If ${origin} is another service, name the mock's own: createMock({ baseUrl: 'https://api.petstore.example/v1' })`
}

/** The URL of the service is often taken for that of the control API. */
function explainControl({ pathBelow }: RequestContext): string | undefined {
  return isControlPath(pathBelow) ? `The control API is at ${pathBelow}` : undefined
}

function listBasePaths({ baseUrl }: ParsedOptions): string {
  return [...new Set(baseUrl.map(({ path }) => path || '/'))].join(' and ')
}

interface HandlerRoute {
  /** In msw's form, with or without an origin: `/pets/:petId`. */
  readonly path: string
  /** How msw names the handler: `GET /pets/:petId`. */
  readonly header: string
  readonly allows: (method: string) => boolean
}

/** @returns Nothing for a path with a wildcard other than a leading one. */
function toRoute({ info }: UserHandler): HandlerRoute[] {
  const { method, path, header } = info as {
    readonly method?: unknown
    readonly path?: unknown
    readonly header: string
  }
  if (typeof path !== 'string' || path.slice(1).includes('*')) return []
  return [{ path, header, allows: (each) => (method instanceof RegExp ? method.test(each) : method === each) }]
}

function isMatch(path: string, requested: string): boolean {
  // A leading wildcard matches below any base path.
  if (path.startsWith('*/')) {
    const last = requested.split('/').slice(1 - path.split('/').length)
    return isMatch(path.slice(1), `/${last.join('/')}`)
  }
  const template = path.replace(/^https?:\/\/[^/]+/, '').replaceAll(/(?<=\/):(\w+)(?=\/|$)/g, '{$1}')
  return createRouter([{ method: 'GET', path: template }])('GET', requested).kind === 'found'
}
