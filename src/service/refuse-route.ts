import { type BaseUrls, isBelow } from '../http/base-url.ts'
import { isControlPath } from '../http/control-path.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { isLoopback } from '../http/is-loopback.ts'
import { suggest } from '../http/quote.ts'
import { refuseMethod } from '../http/router.ts'
import type { WireResponse } from '../http/wire-response.ts'
import { OPERATION_LIST } from '../operations/operations.ts'
import { METHODS } from '../sandbox/condition.ts'
import type { Exchange } from './exchange.ts'
import { listHandlers } from './handlers.ts'
import { listIntercepted } from './mock.ts'

/** The 404 or 405 of a request whose route neither the specification nor the user defines. */
export function refuseRoute(exchange: Exchange): WireResponse {
  const { allow, request } = exchange
  if (allow === undefined) return createErrorResponse('not_found', explainMissingRoute(exchange))
  return refuseMethod(request, addStubMethods(allow, exchange), suggestPath(exchange))
}

/** The message of a 404. */
function explainMissingRoute(exchange: Exchange): string {
  const { pathBelow, request, parts } = exchange
  const { method, path } = request
  const { baseUrl } = parts.options
  const sentence = `There is no route ${method} ${hideInAddress(path)} in petstore-mock`
  const methods = addStubMethods('', exchange)
  const hint = explainHandler(exchange) ?? (methods && `The stub of this path is for another method: ${methods}`)
  if (hint !== '') return `${sentence}. ${hint}`
  if (pathBelow !== undefined && isControlPath(pathBelow)) return `${sentence}. The control API is at ${pathBelow}`
  const suggestion = suggestPath(exchange)
  if (suggestion !== '') return `${sentence}.${suggestion}`
  if (pathBelow === undefined) return `${sentence}. Its API is below ${listBasePaths(baseUrl)}`
  return `${sentence}${explainOrigin(exchange)}`
}

/**
 * Returns ` Did you mean /v1/inventory?` for a path that differs from one of the service in its base path, its slashes or
 * a misspelt name. Append it to the sentence that refuses the path.
 */
function suggestPath({ request: { method, path }, parts }: Exchange): string {
  const { baseUrl } = parts.options
  const segments = path.split('/').filter((segment) => segment !== '')
  for (const operation of OPERATION_LIST) {
    const parts = operation.path.slice(1).split('/')
    const last = segments.slice(-parts.length)
    const isSimilar = (part: string, at: number): boolean => part[0] === '{' || suggest(last[at] ?? '', [part]) !== ''
    if (operation.method !== method || last.length !== parts.length || !parts.every(isSimilar)) continue
    const base = baseUrl.find((each) => isBelow([each], path)) ?? baseUrl[0]
    const meant = [base?.path, ...parts.map((part, index) => (part[0] === '{' ? last[index] : part))].join('/')
    return ` Did you mean ${hideInAddress(meant)}?`
  }
  return ''
}

/** Names a handler that was meant for this request, but did not respond to it. */
export function explainHandler(exchange: Exchange): string | undefined {
  const { request, parts } = exchange
  const meant = listHandlers(exchange).find(({ info }) => 'path' in info && isMeantFor(info.path, request.path))
  if (meant === undefined) return undefined
  const reasons = `it returned nothing, or has another method, origin or base path than ${listBasePaths(parts.options.baseUrl)}`
  return `Your handler ${hideInAddress(meant.info.header)} did not respond: ${reasons}`
}

/** Whether the path ends like that of a handler in msw's form: `/pets/:petId`. */
function isMeantFor(path: unknown, requested: string): boolean {
  if (typeof path !== 'string') return false
  const parts = path.replace(/^(?:https?:\/\/[^/]+|\*)?\//, '').split('/')
  const last = requested.split('/').slice(-parts.length)
  return last.length === parts.length && parts.every((part, index) => part.startsWith(':') || part === last[index])
}

/** The `Allow` of a path: the methods of the contract, and those that have a stub. */
function addStubMethods(allow: string, { parts, pathBelow }: Exchange): string {
  const stubbed = METHODS.filter((method) => parts.findStub?.(method, pathBelow) !== undefined)
  const methods = stubbed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method))
  return [...new Set([...allow.split(', '), ...methods])].filter((method) => method !== '').join(', ')
}

/** Without an origin in its base URL, a mock that intercepts requests answers those to other services, too. */
function explainOrigin({ request, parts }: Exchange): string {
  const { baseUrl } = parts.options
  const { location } = globalThis as { location?: { origin: string } }
  const isIntercepted = location !== undefined || listIntercepted().size > 0
  if (!isIntercepted || baseUrl.some(({ origin }) => origin !== undefined)) return ''
  const { hostname, origin } = request.url
  // The petstore's addresses in the documentation.
  if (origin === location?.origin || isLoopback(hostname) || /(?:^|\.)petstore\.example$/.test(hostname)) return ''
  return `. If ${origin} is another service, name the mock's own: createMock({ baseUrl: 'https://api.petstore.example/v1' })`
}

function listBasePaths(baseUrl: BaseUrls): string {
  return [...new Set(baseUrl.map(({ path }) => path || '/'))].join(' and ')
}
