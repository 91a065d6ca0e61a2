import type { Random } from '../random.ts'
import type { World } from '../world.ts'
import { SECRET } from './bad-values.ts'
import { isList, isListHead, isRefused, isUpdated, unexpected } from './judges.ts'
import { authorize, type HeaderLine, type HostileRequest, toBytes, toChunks } from './request.ts'

type Maker = (random: Random, world: World) => HostileRequest

/** Spellings of integers, and what they say. */
const SPELLINGS: readonly (readonly [text: string, value: bigint])[] = [
  ['5', 5n],
  ['5.0', 5n],
  ['5e0', 5n],
  ['0.5e1', 5n],
  ['500e-2', 5n],
  ['5.00000000000000000000000', 5n],
  ['-3', -3n],
  ['0', 0n],
  ['-0', 0n],
  ['-0.0', 0n],
  ['0e999', 0n],
  ['1E+2', 100n],
  ['9007199254740991', 9007199254740991n],
  ['-9007199254740991', -9007199254740991n],
  ['9007199254740991.0', 9007199254740991n],
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

const EXTENSIONS = ['', ';a=b', ';a="b c";d'] as const
const TRAILERS = ['', 'X-Sum: 1\r\n', 'X-A: 1\r\nX-B: 2\r\n'] as const

const getList: Maker = (random, world) => ({
  title: 'GET list',
  method: 'GET',
  bytes: toBytes({ target: random.pick(TARGETS), headers: [authorize(world), ...pickExtras(random)] }),
  judge: isList,
  after: 'open',
})

const TARGETS = [
  '/v1/inventory',
  '/v1/inventory?x=1',
  'http://any.example/v1/inventory',
  '/v1/inventory?a=%00',
] as const

const EXTRAS = [
  'Accept-Encoding: gzip\nRange: bytes=0-1\nIf-None-Match: *',
  `X-Long: ${'y'.repeat(8000)}`,
  'X-Latin: \u00e9\u00ff\nX-Empty: \nx-empty: ',
  'Cookie: a=b\nCookie: c=d\nX-Forwarded-Host: evil.example',
  'Origin: https://evil.example\nReferer: https://evil.example/',
  'Keep-Alive: timeout=0\nConnection: keep-alive',
  'Content-Type: application/json\nContent-Length: 0',
  `Cookie: session=${SECRET}\nX-Api-Key: ${SECRET}\nProxy-Authorization: Basic ${SECRET}`,
] as const

const UPGRADES = [
  'Upgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  'Upgrade: h2c\nConnection: Upgrade, HTTP2-Settings\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
] as const

/** The offer is declined. Node drops what comes in one packet behind such a request, so nothing does. */
const upgrade: Maker = (random, world) => ({
  title: 'GET with Upgrade',
  method: 'GET',
  bytes: toBytes({ headers: [authorize(world), ...toLines(random.pick(UPGRADES))] }),
  judge: isList,
  after: 'open',
  isLast: true,
})

const headList: Maker = (_random, world) => ({
  title: 'HEAD list',
  method: 'HEAD',
  bytes: toBytes({ method: 'HEAD', headers: [authorize(world)] }),
  judge: isListHead,
  after: 'open',
})

const preflight: Maker = () => ({
  title: 'OPTIONS preflight',
  method: 'OPTIONS',
  bytes: toBytes({
    method: 'OPTIONS',
    target: '/v1/inventory/1',
    headers: [
      ['Origin', 'https://app.example'],
      ['Access-Control-Request-Method', 'PATCH'],
    ],
  }),
  judge: (response) => (response.status === 204 ? undefined : unexpected(response, 'a preflight')),
  after: 'open',
})

const patch: Maker = (random, world) => toPatch(random, world, pickUpdate(random))

const patchInChunks: Maker = (random, world) => {
  const update = pickUpdate(random)
  const sizes = [1 + random.below(8), 1 + random.below(200)]
  const chunks = toChunks(update.body, {
    sizes,
    extension: random.pick(EXTENSIONS),
    trailers: random.pick(TRAILERS),
  })
  const headers: HeaderLine[] = [['Transfer-Encoding', random.pick(['chunked', 'Chunked'])]]
  return { ...toPatch(random, world, { ...update, body: chunks, headers }), title: 'PATCH in chunks' }
}

const patchAfterContinue: Maker = (random, world) => {
  const update = pickUpdate(random)
  const request = toPatch(random, world, { ...update, headers: [['Expect', '100-continue']] })
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
  const update = { ...pickUpdate(random), headers: [['Connection', 'close']] as const }
  return { ...toPatch(random, world, update), title: 'PATCH, Connection: close', after: 'closed' }
}

const notSpecified: Maker = (_random, world) => ({
  title: 'GET /v1/pets/1',
  method: 'GET',
  bytes: toBytes({ target: '/v1/pets/1', headers: [authorize(world)] }),
  judge: isRefused(501),
  after: 'open',
})

const VALID: readonly (readonly [number, Maker])[] = [
  [6, patch],
  [3, getList],
  [2, patchInChunks],
  [1, headList],
  [1, patchAfterContinue],
  [1, patchMissing],
  [1, preflight],
  [0.5, notSpecified],
  [0.5, upgrade],
  [0.2, patchLong],
  [0.2, patchAndClose],
]

/** A request that must be executed. */
export function makeValid(random: Random, world: World): HostileRequest {
  return random.weigh(VALID)(random, world)
}

export interface Update {
  readonly petId: string
  readonly quantity: bigint
  readonly body: string | Buffer
  readonly headers?: readonly HeaderLine[]
}

export function pickUpdate(random: Random): Update {
  const isPlain = random.chance(0.7)
  const [text, quantity] = isPlain ? pickPlain(random) : random.pick(SPELLINGS)
  return {
    petId: String(1 + random.below(10)),
    quantity,
    body: random.pick(BODIES).replace('%', text),
  }
}

function pickPlain(random: Random): readonly [string, bigint] {
  const quantity = random.below(1_000_000)
  return [String(quantity), BigInt(quantity)]
}

/** An update that must be executed. */
export function toPatch(random: Random, world: World, { petId, quantity, body, headers = [] }: Update): HostileRequest {
  return {
    title: `PATCH ${petId}`,
    method: 'PATCH',
    bytes: toBytes({
      method: 'PATCH',
      target: `/v1/inventory/${petId}`,
      headers: [authorize(world), ['Content-Type', random.pick(CONTENT_TYPES)], ...headers],
      body,
    }),
    judge: isUpdated(petId, quantity),
    after: 'open',
    onUnanswered: (model) => model.updatePerhaps(petId, quantity),
  }
}

/** Header lines that change nothing. */
function pickExtras(random: Random): HeaderLine[] {
  return random.chance(0.5) ? [] : toLines(random.pick(EXTRAS))
}

function toLines(text: string): HeaderLine[] {
  return text.split('\n').map((line) => {
    const [name = '', ...values] = line.split(': ')
    return [name, values.join(': ')] as const
  })
}
