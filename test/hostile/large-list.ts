import { setTimeout as sleep } from 'node:timers/promises'
import { openConnection } from './connection.ts'
import type { CaseReport } from './pipeline.ts'
import type { Random } from './random.ts'
import { isList, isUpdated } from './requests/judges.ts'
import { authorize, type HostileRequest, JSON_BODY, toBytes } from './requests/request.ts'
import type { World } from './world.ts'

/** Some 45 KB for each thousand. */
const PETS = [500, 5000] as const

/** Lists that are longer than what sockets hold, between updates, for a client that reads late and little by little. */
export async function runLargeList(
  port: number,
  { random, world }: { random: Random; world: World },
): Promise<CaseReport> {
  const pets = Array.from({ length: random.pick(PETS) }, (_, index) => ({
    petId: String(index + 1),
    quantity: BigInt(random.below(1000)),
    status: 'sold',
  }))
  world.load(pets)
  const title = `lists of ${pets.length} pets that are read late`
  const requests = [
    toLoad(world, `{"inventory":[${pets.map(({ petId }) => world.toItem(petId)).join(',')}]}`),
    ...Array.from({ length: 2 + random.below(5) }, () =>
      random.chance(0.5) ? toList(world) : toUpdate(random, world),
    ),
    toList(world),
  ]
  using connection = await openConnection(port)
  const { socket } = connection
  let responses = 0
  try {
    socket.pause()
    for (const { bytes } of requests) socket.write(bytes)
    await sleep(random.below(100))
    const drip = setInterval(() => (socket.isPaused() ? socket.resume() : socket.pause()), 1 + random.below(3))
    socket.once('close', () => clearInterval(drip))
    for (const request of requests) {
      const next = await connection.next(request.method)
      if (!('response' in next)) return { title, responses, violation: `The connection was ${next.ended}` }
      responses += 1
      const violation = request.judge(next.response, world)
      if (violation !== undefined) return { title, responses, violation: `${request.title}: ${violation}` }
    }
    // The next case of this lane must not depend on this one.
    world.forget()
    return { title, responses }
  } catch (error) {
    return { title, responses, violation: (error as Error).message }
  }
}

function toLoad(world: World, body: string): HostileRequest {
  const target = `/_mock/state?sandbox=${world.sandbox}`
  return {
    title: 'PUT state',
    method: 'PUT',
    bytes: toBytes({ method: 'PUT', target, headers: [JSON_BODY], body }),
    judge: ({ status, body: text }) => (status === 200 ? undefined : `Got ${status} ${text}`),
    after: 'open',
  }
}

function toList(world: World): HostileRequest {
  const bytes = toBytes({ headers: [authorize(world)] })
  return { title: 'GET list', method: 'GET', bytes, judge: isList, after: 'open' }
}

function toUpdate(random: Random, world: World): HostileRequest {
  const [petId, quantity] = [String(1 + random.below(500)), BigInt(random.below(1000))]
  const headers = [authorize(world), JSON_BODY]
  const body = `{"quantity":${quantity}}`
  return {
    title: `PATCH ${petId}`,
    method: 'PATCH',
    bytes: toBytes({ method: 'PATCH', target: `/v1/inventory/${petId}`, headers, body }),
    judge: isUpdated(petId, quantity),
    after: 'open',
  }
}
