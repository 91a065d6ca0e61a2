import fc from 'fast-check'
import { openConnection, toText } from './connection.ts'
import { type Delivery, deliver, delivery, toPlaces } from './delivery.ts'
import { SECRET } from './requests/bad-values.ts'
import { malformed } from './requests/malformed.ts'
import { refused } from './requests/refused.ts'
import { type HostileRequest, pick, toBytes } from './requests/request.ts'
import { valid } from './requests/valid.ts'
import type { Twin } from './twin.ts'

/** Requests with a few bytes changed, dropped, doubled or inserted. */
export interface Garbage {
  readonly requests: readonly HostileRequest[]
  readonly changes: readonly (readonly [at: number, length: number, change: number | string])[]
  readonly delivery: Delivery
}

const DROP = -1
const DOUBLE = -2
/** What parsers stumble over. */
const TOKENS = ['\r\n', '\r\n\r\n', '0\r\n\r\n', ...'\n\r\0: \t;,\x7f\xff%"\x80']

const change = fc.oneof(fc.nat(255), fc.constant(DROP), fc.constant(DOUBLE), pick(TOKENS))
// A change can turn a response with a body into one without, and the other way round.
const request = fc.oneof(valid, refused, malformed).filter(({ method }) => method !== 'HEAD')

export const garbage: fc.Arbitrary<Garbage> = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 3 }),
  changes: fc.array(fc.tuple(fc.nat(300_000), fc.integer({ min: 1, max: 20 }), change), { minLength: 1, maxLength: 4 }),
  delivery,
})

/** The effect is unknown, but each response must be valid. @returns What is wrong. */
export async function runGarbage(
  port: number,
  { requests, changes, delivery, twin }: Garbage & { readonly twin: Twin },
): Promise<string | undefined> {
  twin.isForgotten = true
  // In a header whose name was changed, a credential is none.
  const text = requests.map((each) => toBytes(each, twin.sandbox).toString('latin1').replaceAll(SECRET, 'made-up1'))
  const bytes = Buffer.from(changes.reduce(mutate, text.join('')), 'latin1')
  using connection = await openConnection(port)
  const { ending = { kind: 'fin', at: bytes.byteLength }, ...places } = toPlaces(delivery, [bytes.byteLength])
  const sending = deliver(connection.socket, bytes, { ...places, ending })
  while ('response' in (await connection.next('GET')));
  await sending
  const rest = connection.rest()
  return rest.byteLength === 0 || ending.kind === 'reset' ? undefined : `Half a response: ${toText(rest)}`
}

function mutate(text: string, [place, length, change]: Garbage['changes'][number]): string {
  const at = place % text.length
  const [before, after] = [text.slice(0, at), text.slice(at)]
  if (change === DROP) return before + after.slice(length)
  if (change === DOUBLE) return before + after.slice(0, length) + after
  return typeof change === 'string' ? before + change + after : before + String.fromCharCode(change) + after.slice(1)
}
