import { parseChunks } from '../wire/parse-response.ts'
import { openConnection, toText } from './connection.ts'
import type { CaseReport } from './pipeline.ts'
import type { Random } from './random.ts'
import { authorize, JSON_BODY, toBytes } from './requests/request.ts'
import type { World } from './world.ts'

/** A client of the event stream sees each acknowledged update, once and in order. */
export async function runStream(
  port: number,
  { random, world }: { random: Random; world: World },
): Promise<CaseReport> {
  const title = 'an event stream beside updates'
  using stream = await openConnection(port)
  using connection = await openConnection(port)
  stream.socket.write(toBytes({ target: `/_mock/events?sandbox=${world.sandbox}` }))
  let responses = 0
  const fail = (violation: string): CaseReport => ({ title, responses, violation })
  try {
    await waitFor(
      () => stream.rest().includes('event: state'),
      () => `No first event: ${toText(stream.rest())}`,
    )
    const updates = Array.from({ length: 1 + random.below(20) }, (_, turn) => ({
      petId: random.pick(['2', '3', '4']),
      quantity: BigInt(turn),
    }))
    for (const { petId, quantity } of updates) {
      const headers = [authorize(world), JSON_BODY]
      connection.socket.write(
        toBytes({ method: 'PATCH', target: `/v1/inventory/${petId}`, headers, body: `{"quantity":${quantity}}` }),
      )
      const next = await connection.next('PATCH')
      if (!('response' in next) || next.response.status !== (world.has(petId) ? 200 : 404))
        return fail(`No response to an update: ${JSON.stringify(next)}`)
      responses += 1
      world.update(petId, quantity)
    }
    const wanted = updates.filter(({ petId }) => world.has(petId)).map(({ petId, quantity }) => `${petId}:${quantity}`)
    const read = () =>
      [...unchunk(stream.rest()).matchAll(/^event: pet\ndata: \{"petId":(\d+),"quantity":(-?\d+),/gm)].map(
        ([, id, quantity]) => `${id}:${quantity}`,
      )
    await waitFor(
      () => read().length >= wanted.length,
      () => `Events are missing: ${read()} of ${wanted}`,
    )
    const found = read()
    if (found.join() !== wanted.join()) return fail(`Events ${found}, wanted ${wanted}`)
    return { title, responses }
  } catch (error) {
    return fail((error as Error).message)
  }
}

/** The content of chunks so far, strictly read. */
function unchunk(bytes: Buffer): string {
  const start = bytes.indexOf('\r\n\r\n') + 4
  const head = bytes.toString('latin1', 0, start)
  if (!/^HTTP\/1\.1 200 OK\r\n/.test(head) || !/\r\ntransfer-encoding: chunked\r\n/i.test(head))
    throw new Error(`Not a stream: ${head}`)
  const parts: Buffer[] = []
  parseChunks(bytes.subarray(start), parts)
  return Buffer.concat(parts).toString()
}

async function waitFor(isThere: () => boolean, complain: () => string): Promise<void> {
  const deadline = performance.now() + 15_000
  while (!isThere()) {
    if (performance.now() > deadline) throw new Error(complain())
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
