import { isBelow, toPathBelow } from '../http/base-url.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { createRouter } from '../http/router.ts'
import { suggest } from '../http/suggest.ts'
import { OPERATION_LIST } from '../operations/operations.ts'
import type { UserHandler } from '../sandbox/user-handler.ts'
import type { ParsedOptions } from './parse-options.ts'
import type { RequestContext } from './request-context.ts'

/** The message of a 404 for a path that neither the specification nor the user defines. */
export function explainMissingRoute(context: RequestContext, options: ParsedOptions): string {
  const { method, path } = context.request
  const sentence = `There is no route ${method} ${hideInAddress(path)} in petstore-mock`
  const suggestion = suggestPath(context, options)
  if (suggestion !== '') return `${sentence}.${suggestion}`
  if (!isBelow(options.baseUrl, path)) return `${sentence}. Its API is below ${listBasePaths(options)}`
  const hint = explainRepeatedBase(context, options) ?? explainLackingBase(context, options)
  return hint === undefined ? sentence : `${sentence}. ${hint}`
}

/**
 * Returns ` Did you mean /v1/inventory?` for a path with a slash too many, or with a misspelt name. Append it to the
 * sentence that refuses the path.
 */
export function suggestPath({ request: { method, path } }: RequestContext, { baseUrl }: ParsedOptions): string {
  const plain = path.replaceAll(/\/+(?=\/|$)/g, '')
  const below = toPathBelow(baseUrl, plain)
  const segments = below.split('/')
  const operation = OPERATION_LIST.find((each) => each.method === method && isSimilar(segments, each.path.split('/')))
  if (operation === undefined) return ''
  const parts = operation.path.split('/').map((part, index) => (isParameter(part) ? segments[index] : part))
  return ` Did you mean ${hideInAddress(plain.slice(0, -below.length) + parts.join('/'))}?`
}

function isSimilar(segments: readonly string[], parts: readonly string[]): boolean {
  if (segments.length !== parts.length) return false
  return parts.every((part, index) => isParameter(part) || part === '' || suggest(segments[index] ?? '', [part]) !== '')
}

function isParameter(part: string): boolean {
  return part.startsWith('{')
}

/** A base URL that is joined with a path that has it already is easy to write. */
function explainRepeatedBase({ pathBelow }: RequestContext, { baseUrl }: ParsedOptions): string | undefined {
  const repeated = baseUrl.find(({ path }) => path !== '' && pathBelow.startsWith(`${path}/`))
  return repeated && `The base path ${repeated.path} is there twice`
}

/** Names a handler that would respond if its path began with the base path, which is easy to forget. */
export function explainLackingBase(
  { request: { method }, pathBelow, sandbox }: RequestContext,
  options: ParsedOptions,
): string | undefined {
  const paths = [...sandbox.handlers, ...options.handlers].map((handler) => toPathFor(method, handler))
  const lacking = paths.find((path) => path !== undefined && isMatch(path, pathBelow))
  return lacking && `Your handler for ${hideInAddress(lacking)} lacks the base path ${listBasePaths(options)}`
}

function listBasePaths({ baseUrl }: ParsedOptions): string {
  return [...new Set(baseUrl.map(({ path }) => path || '/'))].join(' and ')
}

/** @returns The path of a handler for this method; `undefined` with a wildcard, which matches below any base path. */
function toPathFor(requested: string, { info }: UserHandler): string | undefined {
  const { method, path } = info as { readonly method?: unknown; readonly path?: unknown }
  const hasMethod = method instanceof RegExp ? method.test(requested) : method === requested
  return hasMethod && typeof path === 'string' && !path.includes('*') ? path : undefined
}

/** @param path In msw's form, with or without an origin: `/pets/:petId`. */
function isMatch(path: string, pathBelow: string): boolean {
  const template = path.replace(/^https?:\/\/[^/]+/, '').replaceAll(/(?<=\/):(\w+)(?=\/|$)/g, '{$1}')
  return createRouter([{ method: 'GET', path: template }])('GET', pathBelow).kind === 'found'
}
