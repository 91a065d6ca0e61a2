import type { Exchange } from '../api/model.ts'
import type { ServiceRequest } from '../api/service.ts'

/** Headers that say how a request travelled, or who sent it, and not what it asks. */
const TRAVEL =
  /^(authorization|host|connection|content-length|transfer-encoding|keep-alive|te|upgrade|expect|origin|referer|user-agent|cookie|accept-(encoding|language)|cache-control|pragma|priority|dnt|sec-.*|proxy-.*)$/

/** What stands in the journal in the place of a credential. */
const HIDDEN = '(hidden)'

/** The headers of a request that are worth sending again. That any type will do, clients say by themselves. */
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

/** Why a request cannot be sent again, as a sentence; `undefined` where it can. */
export function explainNoReplay(exchange: Exchange): string | undefined {
  if (exchange.request.path.includes(HIDDEN))
    return 'This request cannot be replayed: its address has credentials, which the mock hides.'
  if (!isWhole(exchange)) return 'This request cannot be replayed: the mock kept only a part of its body.'
  return undefined
}

/**
 * Whether the journal may hold more of the exchange than an event told: events cut bodies shorter, and a body may come
 * after the exchange was told, since a fault or a 401 does not wait for it.
 */
export function mayHaveMore({ request, answer }: Exchange): boolean {
  if (request.isCut === true || answer?.isCut === true) return true
  return request.body === '' && request.method !== 'GET' && request.method !== 'HEAD'
}

/** Whether the journal has the whole body: the mock cuts long ones, and a connection may break before its end. */
function isWhole({ request: { headers, body, isCut = false } }: Exchange): boolean {
  if (isCut) return false
  const length = Number(headers['content-length'] ?? 0)
  return length <= new TextEncoder().encode(body).byteLength
}
