import { setTimeout as sleep } from 'node:timers/promises'
import type { WireResponse } from '../wire/parse-response.ts'
import { type HostileConnection, type Next, openConnection, toText } from './connection.ts'
import { type Delivery, deliver, drawDelivery, drip } from './delivery.ts'
import type { Random } from './random.ts'
import { makeControl, makeLongLists } from './requests/control.ts'
import { makeFaulted } from './requests/faulted.ts'
import { isList } from './requests/judges.ts'
import { makeMalformed } from './requests/malformed.ts'
import { makeRefused } from './requests/refused.ts'
import { authorize, type HostileRequest, toBytes } from './requests/request.ts'
import { makeValid } from './requests/valid.ts'
import type { World } from './world.ts'

/** The result of a case. */
export interface CaseReport {
  readonly title: string
  /** How many responses came. */
  readonly responses: number
  /** What is wrong, if anything is. */
  readonly violation?: string
}

/** Requests of all kinds on one connection, sent at once or in pieces, to their end or not. */
export function drawPipeline(random: Random, world: World): { requests: HostileRequest[]; delivery: Delivery } {
  const requests: HostileRequest[] = []
  const count = 1 + random.below(random.pick([1, 3, 7]))
  while (requests.length < count) {
    const make = random.weigh<(random: Random, world: World) => HostileRequest | readonly HostileRequest[]>([
      [6, makeValid],
      [5, makeRefused],
      [1.5, makeMalformed],
      [1.5, makeFaulted],
      [1.5, makeControl],
      [0.1, makeLongLists],
    ])
    requests.push(...[make(random, world)].flat())
  }
  const ends = toEnds(requests)
  return { requests, delivery: drawDelivery(random, { length: ends.at(-1) ?? 0, ends }) }
}

export async function runPipeline(
  port: number,
  { requests, delivery, world }: { requests: readonly HostileRequest[]; delivery: Delivery; world: World },
): Promise<CaseReport> {
  const title = `${requests.map((request) => request.title).join(' | ')} (${delivery.title})`
  using connection = await openConnection(port)
  const progress = { responses: 0 }
  try {
    const violation = await follow(connection, { requests, delivery, world, progress })
    return { title, responses: progress.responses, ...(violation !== undefined && { violation }) }
  } catch (error) {
    return { title, responses: progress.responses, violation: (error as Error).message }
  }
}

interface Run {
  readonly requests: readonly HostileRequest[]
  readonly delivery: Delivery
  readonly world: World
  readonly progress: { responses: number }
}

async function follow(connection: HostileConnection, run: Run): Promise<string | undefined> {
  const { requests, delivery, world } = run
  const { socket } = connection
  const bytes = Buffer.concat(requests.map((each) => each.bytes))
  const ends = toEnds(requests)
  const send = (start: number, end: number) => deliver(socket, bytes, { start, end, delivery })
  if (delivery.deaf > 0) socket.pause()
  let sending = delivery.waits ? Promise.resolve() : send(0, bytes.byteLength)
  if (delivery.deaf > 0) {
    await sleep(delivery.deaf)
    drip(socket)
  }
  const sent = delivery.ending?.at ?? Number.POSITIVE_INFINITY
  for (const [index, request] of requests.entries()) {
    if (delivery.waits) {
      // An early response came before the end of its request; the next request comes behind it nevertheless.
      await sending
      if (index > 0) await sleep(delivery.idle)
      sending = send(ends[index - 1] ?? 0, ends[index] ?? 0)
    }
    const isWhole = (ends[index] ?? 0) <= sent
    const later = requests.slice(index + 1)
    if (!isWhole) return await checkUnfinished(connection, run, request)
    if (request.breaks !== undefined) return await checkBreak(connection, run, { request, later })
    const next = await connection.next(request.method)
    if (!('response' in next)) return checkCut(next, run, { request, later })
    run.progress.responses += 1
    const wrong = request.judge(next.response, world)
    if (wrong !== undefined) return `${request.title}: ${wrong}`
    const isClosing = announcesClose(next.response)
    const mayClose = request.after !== 'open' || delivery.ending !== undefined
    if (isClosing && !mayClose) return `${request.title}: Connection: close, and nothing was left unread`
    if (!isClosing && request.after === 'closed') return `${request.title}: no Connection: close`
    if (isClosing) return await checkClosed(connection, request)
  }
  await sending
  await sleep(delivery.idle)
  if (delivery.ending?.kind === 'fin') return await checkClosed(connection, requests.at(-1))
  return delivery.ending === undefined ? await probe(connection, world) : undefined
}

/** Only part of this request was sent. It must not be executed, which the list shows afterwards. */
async function checkUnfinished(
  connection: HostileConnection,
  { delivery, world, progress }: Run,
  request: HostileRequest,
): Promise<string | undefined> {
  if (request.isFaulted) world.forget()
  if (delivery.ending?.kind === 'fin') {
    // A refusal, early or of what is missing; or nothing.
    // Half a head of HEAD is nothing a server knows yet: its refusal may have a body.
    const method = request.method === 'HEAD' ? 'GET' : request.method
    if ('response' in (await connection.next(method))) progress.responses += 1
  }
  await connection.ended()
  const rest = connection.rest()
  const isExpected = delivery.ending?.kind === 'reset' || rest.byteLength === 0
  return isExpected ? undefined : `Bytes behind the last response: ${toText(rest)}`
}

async function checkBreak(
  connection: HostileConnection,
  { delivery, world }: Run,
  { request, later }: { request: HostileRequest; later: readonly HostileRequest[] },
): Promise<string | undefined> {
  for (const each of [request, ...later]) each.onUnanswered?.(world)
  if (request.breaks === 'silence') {
    await sleep(20)
    return connection.rest().byteLength > 0 ? `${request.title}: ${toText(connection.rest())}` : undefined
  }
  const next = await connection.next(request.method)
  if ('response' in next)
    return isNothingToCut(request, next.response) ? undefined : `${request.title}: a whole response`
  // Where nothing came, the request may never have been read, and its fault still waits.
  const hasBytes = next.rest.byteLength > 0
  if (!hasBytes) world.forget()
  if (delivery.ending !== undefined) return undefined
  if (request.breaks === 'before' && hasBytes) return `${request.title}: ${toText(next.rest)}`
  return undefined
}

/** A response without a body has nothing that could break off. */
function isNothingToCut({ breaks, method }: HostileRequest, { status }: WireResponse): boolean {
  return breaks === 'within' && (method === 'HEAD' || status === 204 || status === 404)
}

function checkCut(
  next: Exclude<Next, { response: unknown }>,
  { delivery, world }: Run,
  { request, later }: { request: HostileRequest; later: readonly HostileRequest[] },
): string | undefined {
  for (const each of [request, ...later]) each.onUnanswered?.(world)
  // A reset, by whichever side, can overtake what a client that is still writing has not read yet.
  const mayBeOvertaken = delivery.deaf > 0 || delivery.cuts.length > 0
  const isBroken = mayBeOvertaken && later.some(({ breaks }) => breaks === 'before')
  // So can the reset behind a response that closes the connection, where the client reads late: a bare node:http server
  // loses the tail of a large response as often (RFC 9112, section 9.6).
  const isClosed = delivery.deaf > 0 && [request, ...later].some(({ after }) => after !== 'open')
  const isReset = next.ended === 'reset' && (isBroken || isClosed)
  // The server cannot tell a half-close from giving up, so it skips delays.
  const isAbandoned = delivery.ending?.kind === 'fin' && request.isFaulted === true
  if (isReset || isAbandoned || delivery.ending?.kind === 'reset') return undefined
  return `${request.title}: the connection was ${next.ended} without a response. There is: ${toText(next.rest)}`
}

async function checkClosed(
  connection: HostileConnection,
  request: HostileRequest | undefined,
): Promise<string | undefined> {
  await connection.ended()
  const rest = connection.rest()
  return rest.byteLength > 0 ? `${request?.title}: bytes behind the last response: ${toText(rest)}` : undefined
}

/** The connection must still work for a request, without extra bytes before its response. */
async function probe(connection: HostileConnection, world: World): Promise<string | undefined> {
  connection.socket.write(toBytes({ headers: [authorize(world)] }))
  const next = await connection.next('GET')
  if (!('response' in next)) return `The connection was ${next.ended} behind the last response. ${toText(next.rest)}`
  const wrong =
    isList(next.response, world) ?? (announcesClose(next.response) ? 'Connection: close without a reason' : undefined)
  if (wrong !== undefined) return `The list at the end of the case: ${wrong}`
  const rest = connection.rest()
  return rest.byteLength > 0 ? `Bytes behind the last response: ${toText(rest)}` : undefined
}

function announcesClose({ headers }: WireResponse): boolean {
  return /\bclose\b/i.test(headers['connection'] ?? '')
}

function toEnds(requests: readonly HostileRequest[]): number[] {
  let end = 0
  return requests.map(({ bytes }) => {
    end += bytes.byteLength
    return end
  })
}
