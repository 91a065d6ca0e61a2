import type { Random } from '../random.ts'
import type { World } from '../world.ts'
import { SECRET } from './bad-values.ts'
import { isList, isListHead, isRefused, isUpdated, unexpected } from './judges.ts'
import { authorize, type Draft, type HostileRequest, toChunks, toHostile } from './request.ts'

type Maker = (random: Random, world: World) => HostileRequest

/** Spellings of integers, and what they say. */
const SPELLINGS: readonly (readonly [text: string, value: bigint])[] = [
  ...['5', '5.0', '5e0', '0.5e1', '500e-2', '5.00000000000000000000000'].map((text) => [text, 5n] as const),
  ...['0', '-0', '-0.0', '0e999'].map((text) => [text, 0n] as const),
  ...['9007199254740991', '9007199254740991.0'].map((text) => [text, 9007199254740991n] as const),
  ['-3', -3n],
  ['1E+2', 100n],
  ['-9007199254740991', -9007199254740991n],
]

/** Bodies around a quantity; `%` is its place. */
const BODIES = [
  '{"quantity":%}',
  '{"quantity":%}',
  ' \r\n\t{ "quantity" : % }\n',
  '{"quantity":"no","quantity":%}',
  '{"\\u0071uantity":%}',
  '{"quantity":%,"note":"h\u00e9 \u{1f600} \\ud800"}',
  '{"__proto__":{"quantity":1},"quantity":%,"constructor":null}',
  '{"toString":1,"hasOwnProperty":2,"quantity":%}',
] as const

const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json;a="b;c"',
] as const

const TARGETS = [
  '/v1/inventory',
  '/v1/inventory?x=1',
  'http://any.example/v1/inventory',
  '/v1/inventory?a=%00',
] as const

/** Header lines that change nothing. */
const EXTRAS = [
  'Upgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  'Upgrade: h2c\nConnection: Upgrade, HTTP2-Settings\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
  'Accept-Encoding: gzip\nRange: bytes=0-1\nIf-None-Match: *',
  `X-Long: ${'y'.repeat(8000)}`,
  'X-Latin: \u00e9\u00ff\nX-Empty: \nx-empty: ',
  'Cookie: a=b\nCookie: c=d\nX-Forwarded-Host: evil.example',
  'Origin: https://evil.example\nReferer: https://evil.example/',
  'Keep-Alive: timeout=0\nConnection: keep-alive',
  'Content-Type: application/json\nContent-Length: 0',
  `Cookie: session=${SECRET}\nX-Api-Key: ${SECRET}\nProxy-Authorization: Basic ${SECRET}`,
] as const

const getList: Maker = (random, world) => {
  const extras = random.chance(0.5) ? [] : random.pick(EXTRAS).split('\n')
  return toHostile({ target: random.pick(TARGETS), headers: [authorize(world), ...extras], judge: isList })
}

const headList: Maker = (_random, world) =>
  toHostile({ method: 'HEAD', headers: [authorize(world)], judge: isListHead })

const preflight: Maker = () =>
  toHostile({
    method: 'OPTIONS',
    target: '/v1/inventory/1',
    headers: ['Origin: https://app.example', 'Access-Control-Request-Method: PATCH'],
    judge: (response) => (response.status === 204 ? undefined : unexpected(response, 'a preflight')),
  })

const patch: Maker = (random, world) => toPatch(random, world, pickUpdate(random))

const patchInChunks: Maker = (random, world) => {
  const update = pickUpdate(random)
  const body = toChunks(update.body, {
    sizes: [1 + random.below(8), 1 + random.below(200)],
    extension: random.pick(['', ';a=b', ';a="b c";d']),
    trailers: random.pick(['', 'X-Sum: 1\r\n', 'X-A: 1\r\nX-B: 2\r\n']),
  })
  const headers = [`Transfer-Encoding: ${random.pick(['chunked', 'Chunked'])}`]
  return { ...toPatch(random, world, { ...update, body, headers }), title: 'PATCH in chunks' }
}

const patchAfterContinue: Maker = (random, world) => {
  const request = toPatch(random, world, { ...pickUpdate(random), headers: ['Expect: 100-continue'] })
  return { ...request, title: 'PATCH with Expect: 100-continue' }
}

const patchMissing: Maker = (random, world) => {
  const petId = random.pick(['11', '0', '-1', '9223372036854775807', '-9223372036854775808', '9007199254740993'])
  return { ...toPatch(random, world, { ...pickUpdate(random), petId }), title: `PATCH of missing ${petId}` }
}

/** A body that needs many packets. */
const patchLong: Maker = (random, world) => {
  const update = pickUpdate(random)
  const start = `{"note":"`
  const end = `","quantity":${update.quantity}}`
  const length = random.pick([65_536, 60_000, 20_000]) - start.length - end.length
  return { ...toPatch(random, world, { ...update, body: start + 'x'.repeat(length) + end }), title: 'PATCH, long body' }
}

const patchAndClose: Maker = (random, world) => {
  const request = toPatch(random, world, { ...pickUpdate(random), headers: ['Connection: close'] })
  return { ...request, title: 'PATCH, Connection: close', after: 'closed' }
}

const notSpecified: Maker = (_random, world) =>
  toHostile({ target: '/v1/pets/1', headers: [authorize(world)], judge: isRefused(501) })

const VALID: readonly (readonly [number, Maker])[] = [
  [6, patch],
  [3, getList],
  [2, patchInChunks],
  [1, headList],
  [1, patchAfterContinue],
  [1, patchMissing],
  [1, preflight],
  [0.5, notSpecified],
  [0.2, patchLong],
  [0.2, patchAndClose],
]

/** A request that must be executed. */
export function makeValid(random: Random, world: World): HostileRequest {
  return random.weigh(VALID)(random, world)
}

export interface Update extends Pick<Draft, 'headers'> {
  readonly petId: string
  readonly quantity: bigint
  readonly body: string | Buffer
}

export function pickUpdate(random: Random): Update {
  const plain = random.below(1_000_000)
  const [text, quantity] = random.chance(0.7) ? ([String(plain), BigInt(plain)] as const) : random.pick(SPELLINGS)
  return { petId: String(1 + random.below(10)), quantity, body: random.pick(BODIES).replace('%', text) }
}

/** An update that must be executed. */
export function toPatch(random: Random, world: World, { petId, quantity, body, headers = [] }: Update): HostileRequest {
  return toHostile({
    method: 'PATCH',
    target: `/v1/inventory/${petId}`,
    headers: [authorize(world), `Content-Type: ${random.pick(CONTENT_TYPES)}`, ...headers],
    body,
    judge: isUpdated(petId, quantity),
    onUnanswered: (model) => model.updatePerhaps(petId, quantity),
  })
}
