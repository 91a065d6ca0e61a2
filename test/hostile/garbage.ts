import { openConnection, toText } from './connection.ts'
import { deliver, drawDelivery } from './delivery.ts'
import type { CaseReport } from './pipeline.ts'
import type { Random } from './random.ts'
import { SECRET } from './requests/bad-values.ts'
import { makeMalformed } from './requests/malformed.ts'
import { makeRefused } from './requests/refused.ts'
import { makeValid } from './requests/valid.ts'
import type { World } from './world.ts'

/** Requests with a few bytes changed, dropped, doubled or inserted. Their effect is unknown, but each response must be valid. */
export async function runGarbage(
  port: number,
  { random, world }: { random: Random; world: World },
): Promise<CaseReport> {
  const makers = [makeValid, makeRefused, makeMalformed] as const
  const requests = Array.from({ length: 1 + random.below(3) }, () => random.pick(makers)(random, world))
    // A mutation can turn a response with a body into one without, and the other way round.
    .filter(({ method }) => method !== 'HEAD')
  const bytes = mutate(random, hideSecret(Buffer.concat(requests.map((each) => each.bytes))))
  const title = `garbage ${toText(bytes)}`
  // The effect is unknown, so the model gives up on the sandbox.
  world.forget()
  using connection = await openConnection(port)
  const delivery = drawDelivery(random, { length: bytes.byteLength, ends: [bytes.byteLength] })
  let responses = 0
  try {
    const ending = delivery.ending ?? { kind: 'fin' as const, at: bytes.byteLength }
    const range = { start: 0, end: bytes.byteLength, delivery: { ...delivery, ending } }
    const sending = deliver(connection.socket, bytes, range)
    while ('response' in (await connection.next('GET'))) responses += 1
    await sending
    const rest = connection.rest()
    if (rest.byteLength === 0 || ending.kind === 'reset') return { title, responses }
    return { title, responses, violation: `Half a response: ${toText(rest)}` }
  } catch (error) {
    return { title, responses, violation: (error as Error).message }
  }
}

/** In a header whose name was changed, a credential is none. */
function hideSecret(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(SECRET, 'made-up1'), 'latin1')
}

function mutate(random: Random, original: Buffer): Buffer {
  let bytes = original
  for (let count = 1 + random.below(4); count > 0; count -= 1) {
    const at = random.below(bytes.byteLength)
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
    const length = 1 + random.below(20)
    bytes = random.pick([
      () => Buffer.concat([before, Buffer.from([random.below(256)]), after.subarray(1)]),
      () => Buffer.concat([before, after.subarray(length)]),
      () => Buffer.concat([before, after.subarray(0, length), after]),
      () => Buffer.concat([before, Buffer.from(random.pick(TOKENS), 'latin1'), after]),
    ])()
  }
  return bytes
}

/** What parsers stumble over. */
const TOKENS = ['\r\n', '\r\n\r\n', '0\r\n\r\n', ...'\n\r\0: \t;,\x7f\xff%"\x80']
