import type { Exchange } from '../api/model.ts'
import type { ServiceRequest } from '../api/service.ts'

/** The formats of a copied request: a shell command, or a statement for the browser's developer console. */
export type CopyForm = 'curl' | 'fetch'

interface CopyTarget {
  readonly url: URL
  readonly apiKey: string
}

/** Formats a request of the journal, with the current key. */
export const copyRequest: Readonly<Record<CopyForm, (exchange: Exchange, target: CopyTarget) => string>> = {
  curl(exchange, { url, apiKey }) {
    const { method, body } = exchange.request
    return [
      'curl',
      ...toMethodFlags(method),
      ...Object.entries(toHeaders(exchange, apiKey)).flatMap(([name, value]) => ['-H', quote(`${name}: ${value}`)]),
      ...(body === '' ? [] : ['--data-raw', quote(body)]),
      quote(url.href),
    ].join(' ')
  },
  fetch(exchange, { url, apiKey }) {
    const { method, body } = exchange.request
    const init = { method, headers: toHeaders(exchange, apiKey), ...(body !== '' && { body }) }
    return `await fetch(${JSON.stringify(url.href)}, ${JSON.stringify(init, null, 2)})`
  },
}

function toHeaders(exchange: Exchange, apiKey: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${apiKey}`, ...toOwnHeaders(exchange) }
}

function toMethodFlags(method: string): string[] {
  if (method === 'GET') return []
  if (method === 'HEAD') return ['--head']
  return ['-X', /^[A-Z]+$/.test(method) ? method : quote(method)]
}

/** In a POSIX shell, single quotes keep everything literal except a single quote. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Headers about the connection or the client, not about the request itself. */
const TRAVEL =
  /^(authorization|host|connection|content-length|transfer-encoding|keep-alive|te|upgrade|expect|origin|referer|user-agent|cookie|accept-(encoding|language)|cache-control|pragma|priority|dnt|sec-.*|proxy-.*)$/

/** The journal's placeholder for a credential. */
const HIDDEN = '(hidden)'

/** The headers of a request to replay. Clients send their own `Accept` for any type. */
export function toOwnHeaders({ request }: Exchange): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(request.headers).filter(
      ([name, value]) => !TRAVEL.test(name) && value !== '*/*' && !value.includes(HIDDEN),
    ),
  )
}

export function toReplay(exchange: Exchange): ServiceRequest {
  const { method, path, body } = exchange.request
  return { method, path, headers: toOwnHeaders(exchange), body }
}

/** Why a request cannot be replayed, as a sentence; `undefined` if it can. */
export function explainNoReplay(exchange: Exchange): string | undefined {
  if (exchange.request.path.includes(HIDDEN))
    return 'This request cannot be replayed: its URL contains credentials, which the mock redacts.'
  if (exchange.request.isCut === true) return 'This request cannot be replayed: the mock kept only part of its body.'
  return undefined
}

/** Whether the journal may have more than the event, which cuts bodies shorter and does not wait for a late one. */
export function mayHaveMore({ request, answer }: Exchange): boolean {
  return request.isCut === true || answer?.isCut === true
}
