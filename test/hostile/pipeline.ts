import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { WireResponse } from '../wire/parse-response.ts'
import { type HostileConnection, type Next, openConnection, toText } from './connection.ts'
import { type Delivery, deliver, delivery, drip, type Places, toPlaces } from './delivery.ts'
import { control, longLists } from './requests/control.ts'
import { faulted } from './requests/faulted.ts'
import { malformed, unusual } from './requests/malformed.ts'
import { refused } from './requests/refused.ts'
import { type HostileRequest, LIST, toBytes, weigh } from './requests/request.ts'
import { valid } from './requests/valid.ts'
import type { Twin } from './twin.ts'

/** Requests on one connection, sent at once or in pieces, to their end or not. */
export interface Pipeline {
  readonly requests: readonly HostileRequest[]
  readonly delivery: Delivery
}

const one = (requests: fc.Arbitrary<HostileRequest>) => requests.map((request) => [request])
const requests = weigh<readonly HostileRequest[]>(
  [60, one(valid)],
  [50, one(refused)],
  [8, one(unusual)],
  [15, faulted],
  [15, one(control)],
  [1, longLists],
)
const lists = weigh(
  ...[1, 3, 7].map((maxLength) => [1, fc.array(requests, { minLength: 1, maxLength, size: 'max' })] as const),
)

export const pipeline: fc.Arbitrary<Pipeline> = fc.record({
  requests: weigh([6, lists.map((list) => list.flat())], [1, one(malformed)]),
  delivery,
})

/** What a case needs: its connection, and all that is sent on it. */
interface Run extends Pipeline {
  readonly connection: HostileConnection
  readonly twin: Twin
  readonly places: Places
}

/** Sends a pipeline, and reads what comes back. @returns What is wrong. */
export async function runPipeline(
  port: number,
  { requests, delivery, twin }: Pipeline & { readonly twin: Twin },
): Promise<string | undefined> {
  const pieces = requests.map((request) => toBytes(request, twin.sandbox))
  const bytes = Buffer.concat(pieces)
  let length = 0
  const ends = pieces.map((piece) => (length += piece.byteLength))
  const places = toPlaces(delivery, ends)
  using connection = await openConnection(port)
  const run: Run = { requests, delivery, twin, places, connection }
  const { socket } = connection
  if (delivery.deaf > 0) socket.pause()
  let sending = delivery.waits ? Promise.resolve() : deliver(socket, bytes, places)
  if (delivery.deaf > 0) {
    await sleep(delivery.deaf)
    drip(socket)
  }
  const sent = places.ending?.at ?? bytes.byteLength
  for (const [index, request] of requests.entries()) {
    if (delivery.waits) {
      await sending
      if (index > 0) await sleep(delivery.idle)
      sending = deliver(socket, bytes, { ...places, start: ends[index - 1] ?? 0, end: ends[index] ?? 0 })
    }
    if ((ends[index] ?? 0) > sent) return await checkUnfinished(run, request)
    if (request.breaks !== undefined) return await checkBreak(run, request)
    const next = await connection.next(request.method ?? 'GET')
    if (!('response' in next)) return await checkCut(next, run, requests.slice(index))
    const wrong = await judge(request, next.response, twin)
    if (wrong !== undefined) return `${toTitle(request)}: ${wrong}`
    const isClosing = announcesClose(next.response)
    if (isClosing && request.after === undefined && places.ending === undefined)
      return `${toTitle(request)}: Connection: close, and nothing was left unread`
    if (!isClosing && request.after === 'closed') return `${toTitle(request)}: no Connection: close`
    // What follows is not carried out.
    if (isClosing) return await checkClosed(connection)
  }
  await sending
  await sleep(delivery.idle)
  if (places.ending?.kind === 'fin') return await checkClosed(connection)
  return places.ending === undefined ? await probe(run) : undefined
}

async function judge(request: HostileRequest, response: WireResponse, twin: Twin): Promise<string | undefined> {
  const { status, headers, body } = response
  if (request.statuses === undefined) return await twin.compare(request, response)
  const isFault = status >= 500 && status !== 501
  if (typeof request.statuses === 'string' ? isFault : !request.statuses.includes(status))
    return `Got ${status} ${body}, wanted ${request.statuses}`
  // Where no operation saw the request, the refusal may have no body.
  if (status < 400 || body.byteLength === 0) return undefined
  const error = JSON.parse(body.toString()) as { code?: unknown; message?: unknown; status?: unknown }
  const isError = error.status === status && typeof error.code === 'string' && typeof error.message === 'string'
  if (!isError || !/^application\/json\b/.test(headers['content-type'] ?? '')) return `Not an Error object: ${body}`
  if (status === 401 && headers['www-authenticate'] === undefined) return 'A 401 without WWW-Authenticate'
  return status === 405 && headers['allow'] === undefined ? 'A 405 without Allow' : undefined
}

/** Only part of this request was sent. It must not be executed, which the list shows afterwards. */
async function checkUnfinished({ connection, places, twin }: Run, request: HostileRequest) {
  if (request.isFaulted) twin.isForgotten = true
  // A refusal, early or of what is missing; or nothing. Half a head of HEAD is nothing a server knows yet: its refusal may
  // have a body.
  if (places.ending?.kind === 'fin')
    await connection.next(request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'))
  await connection.ended()
  const rest = connection.rest()
  const isExpected = places.ending?.kind === 'reset' || rest.byteLength === 0
  return isExpected ? undefined : `Bytes behind the last response: ${toText(rest)}`
}

/** Whether the update took place, and whom the fault strikes next, is not known here. */
async function checkBreak({ connection, places, twin }: Run, request: HostileRequest): Promise<string | undefined> {
  twin.isForgotten = true
  if (request.breaks === 'silence') {
    await sleep(20)
    return connection.rest().byteLength > 0 ? `${toTitle(request)}: ${toText(connection.rest())}` : undefined
  }
  const next = await connection.next(request.method ?? 'GET')
  if ('response' in next) {
    // A response without a body has nothing that could break off.
    const { status } = next.response
    const isBodiless = request.method === 'HEAD' || status === 204 || status === 404
    return request.breaks === 'within' && isBodiless ? undefined : `${toTitle(request)}: a whole response`
  }
  const isWrong = places.ending === undefined && request.breaks === 'before' && next.rest.byteLength > 0
  return isWrong ? `${toTitle(request)}: ${toText(next.rest)}` : undefined
}

async function checkCut(
  next: Exclude<Next, { response: unknown }>,
  { delivery, places, twin }: Run,
  unanswered: readonly HostileRequest[],
): Promise<string | undefined> {
  if (unanswered.some(({ isFaulted }) => isFaulted)) twin.isForgotten = true
  else await twin.skip(unanswered.filter(({ statuses }) => statuses === undefined))
  // A reset, by whichever side, can overtake what a client that reads late, or is still writing, has not read yet: a bare
  // node:http server loses the tail of a large response as often (RFC 9112, section 9.6).
  const isLate = delivery.deaf > 0 || places.cuts.length > 0
  const isClosed = unanswered.some(({ after, breaks }) => after !== undefined || breaks === 'before')
  const isReset = next.ended === 'reset' && isLate && isClosed
  // The server cannot tell a half-close from giving up, so it skips delays.
  const isAbandoned = places.ending?.kind === 'fin' && unanswered[0]?.isFaulted === true
  if (isReset || isAbandoned || places.ending?.kind === 'reset') return undefined
  return `${toTitle(unanswered[0])}: the connection was ${next.ended} without a response. There is: ${toText(next.rest)}`
}

async function checkClosed(connection: HostileConnection): Promise<string | undefined> {
  await connection.ended()
  const rest = connection.rest()
  return rest.byteLength > 0 ? `Bytes behind the last response: ${toText(rest)}` : undefined
}

/** The connection must still work for a request, without extra bytes before its response. */
async function probe({ connection, twin }: Run): Promise<string | undefined> {
  connection.socket.write(toBytes(LIST, twin.sandbox))
  const next = await connection.next('GET')
  if (!('response' in next)) return `The connection was ${next.ended} behind the last response. ${toText(next.rest)}`
  const wrong = await twin.compare(LIST, next.response)
  if (wrong !== undefined) return `The list at the end of the case: ${wrong}`
  if (announcesClose(next.response)) return 'Connection: close without a reason'
  const rest = connection.rest()
  return rest.byteLength > 0 ? `Bytes behind the last response: ${toText(rest)}` : undefined
}

function announcesClose({ headers }: WireResponse): boolean {
  return /\bclose\b/i.test(headers['connection'] ?? '')
}

function toTitle({ method = 'GET', target = '', body, raw }: HostileRequest = {}): string {
  return JSON.stringify([raw ?? `${method} ${target}`, String(body ?? '')].join(' ').slice(0, 200))
}
