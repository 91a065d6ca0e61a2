import { isBelow, isLoopback } from '../http/base-url.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { suggest } from '../http/quote.ts'
import { isControlPath } from '../http/router.ts'
import { OPERATION_LIST } from '../operations/operations.ts'
import { listIntercepted } from './intercepted.ts'
import type { ParsedOptions } from './parse-options.ts'
import type { RequestContext } from './request-context.ts'
import { addStubMethods } from './stubs.ts'

/** The message of a 404 for a path that neither the specification nor the user defines. */
export function explainMissingRoute(context: RequestContext): string {
  const { options } = context
  const { method, path } = context.request
  const sentence = `There is no route ${method} ${hideInAddress(path)} in petstore-mock`
  // The URL of the service is often taken for that of the control API.
  const control = isControlPath(context.pathBelow) ? `The control API is at ${context.pathBelow}` : undefined
  const hint = explainHandler(context) ?? explainStub(context) ?? control
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
    const meant = [base?.path, ...parts.map((part, index) => (part.startsWith('{') ? last[index] : part))].join('/')
    return ` Did you mean ${hideInAddress(meant)}?`
  }
  return ''
}

function isSimilar(segments: readonly string[], parts: readonly string[]): boolean {
  if (segments.length !== parts.length) return false
  return parts.every((part, index) => part.startsWith('{') || suggest(segments[index] ?? '', [part]) !== '')
}

/** Names a handler that was meant for this request, but did not respond to it. */
export function explainHandler({ request, sandbox, options }: RequestContext): string | undefined {
  const handlers = [...sandbox.handlers, ...options.handlers]
  const meant = handlers.find(({ info }) => 'path' in info && isMeantFor(info.path, request.path))
  if (meant === undefined) return undefined
  const reasons = `it returned nothing, or has another method, origin or base path than ${listBasePaths(options)}`
  return `Your handler ${hideInAddress(meant.info.header)} did not respond: ${reasons}`
}

/** Whether the path ends like that of a handler in msw's form: `/pets/:petId`. */
function isMeantFor(path: unknown, requested: string): boolean {
  if (typeof path !== 'string') return false
  const parts = path.replace(/^(?:https?:\/\/[^/]+|\*)?\//, '').split('/')
  const last = requested.split('/').slice(-parts.length)
  return last.length === parts.length && parts.every((part, index) => part.startsWith(':') || part === last[index])
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

function listBasePaths({ baseUrl }: ParsedOptions): string {
  return [...new Set(baseUrl.map(({ path }) => path || '/'))].join(' and ')
}
