import { setTimeout as sleep } from 'node:timers/promises'
import { openConnection } from './connection.ts'
import { announcesClose, type CaseReport, checkClosed, probe } from './pipeline.ts'
import type { Random } from './random.ts'
import { makeFaulted } from './requests/faulted.ts'
import { makeRefused } from './requests/refused.ts'
import type { HostileRequest } from './requests/request.ts'
import { makeValid } from './requests/valid.ts'
import type { World } from './world.ts'

/** Longer than any moment for which a server holds a connection that it is about to close. */
const PAUSE_MS = 800

/**
 * A request that is refused early, and the next one a while later on the same connection: what a client does that
 * retries. The refused request comes whole, or the rest of it comes behind the pause.
 */
export async function runPause(port: number, { random, world }: { random: Random; world: World }): Promise<CaseReport> {
  const make = random.weigh<(random: Random, world: World) => HostileRequest | readonly HostileRequest[]>([
    [4, makeRefused],
    [2, makeFaulted],
    [1, makeValid],
  ])
  const requests = [make(random, world)].flat()
  const request = requests.at(-1)
  const title = `${requests.map((each) => each.title).join(' | ')}, and a list ${PAUSE_MS} ms later`
  if (request === undefined || request.breaks !== undefined) return { title, responses: 0 }
  const cut = random.chance(0.5) ? request.bytes.byteLength : random.below(request.bytes.byteLength)
  using connection = await openConnection(port)
  const { socket } = connection
  let responses = 0
  const fail = (violation: string): CaseReport => ({ title, responses, violation })
  try {
    for (const each of requests) {
      const isLast = each === request
      socket.write(each.bytes.subarray(0, isLast ? cut : each.bytes.byteLength))
      if (isLast) await sleep(PAUSE_MS)
      if (isLast && socket.writable) socket.write(each.bytes.subarray(cut))
      const next = await connection.next(each.method)
      if (!('response' in next)) return fail(`${each.title}: the connection was ${next.ended} without a response`)
      responses += 1
      const wrong = each.judge(next.response, world)
      if (wrong !== undefined) return fail(`${each.title}: ${wrong}`)
      const isClosing = announcesClose(next.response)
      if (isClosing && each.after === 'open' && cut === each.bytes.byteLength)
        return fail(`${each.title}: Connection: close`)
      if (!isClosing && each.after === 'closed') return fail(`${each.title}: no Connection: close`)
      if (!isClosing) continue
      const rest = await checkClosed(connection, each)
      return rest === undefined ? { title, responses } : fail(rest)
    }
    const violation = await probe(connection, world)
    return violation === undefined ? { title, responses: responses + 1 } : fail(violation)
  } catch (error) {
    return fail((error as Error).message)
  }
}
