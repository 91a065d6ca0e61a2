import fc from 'fast-check'
import { SECRET } from './bad-values.ts'
import { type HostileRequest, JSON_BODY, KEY, LIST, pick, toUpdate, toWords, weigh } from './request.ts'

/** Spellings of integers. */
const SPELLINGS = toWords(`
  5 5.0 5e0 0.5e1 500e-2 5.00000000000000000000000 0 -0 -0.0 0e999 9007199254740991 9007199254740991.0 -3 1E+2
  -9007199254740991
`)

/** Bodies around a quantity; `%` is its place. */
const BODIES = [
  '{"quantity":%}',
  ' \r\n\t{ "quantity" : % }\n',
  '{"quantity":"no","quantity":%}',
  '{"\\u0071uantity":%}',
  '{"quantity":%,"note":"h\u00e9 \u{1f600} \\ud800"}',
  '{"__proto__":{"quantity":1},"quantity":%,"constructor":null}',
  '{"toString":1,"hasOwnProperty":2,"quantity":%}',
]

const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json;a="b;c"',
]

const TARGETS = toWords('/v1/inventory /v1/inventory?x=1 http://any.example/v1/inventory /v1/inventory?a=%00')

/** Header lines that change nothing. */
const EXTRAS = [
  '',
  'Accept-Encoding: gzip\nRange: bytes=0-1\nIf-None-Match: *',
  `X-Long: ${'y'.repeat(8000)}`,
  'X-Latin: \u00e9\u00ff\nX-Empty: \nx-empty: ',
  'Cookie: a=b\nCookie: c=d\nX-Forwarded-Host: evil.example',
  'Origin: https://evil.example\nReferer: https://evil.example/',
  'Keep-Alive: timeout=0\nConnection: keep-alive',
  'Content-Type: application/json\nContent-Length: 0',
  `Cookie: session=${SECRET}\nX-Api-Key: ${SECRET}\nProxy-Authorization: Basic ${SECRET}`,
]

const PREFLIGHT: HostileRequest = {
  method: 'OPTIONS',
  target: '/v1/inventory/1',
  headers: ['Origin: https://app.example', 'Access-Control-Request-Method: PATCH'],
  statuses: [204],
}

const list: fc.Arbitrary<HostileRequest> = fc
  .tuple(pick(TARGETS), pick(EXTRAS))
  .map(([target, extras]) => ({ target, headers: [KEY, ...(extras === '' ? [] : extras.split('\n'))] }))

export const petId: fc.Arbitrary<number> = fc.integer({ min: 1, max: 10 })

const body = fc
  .tuple(pick(BODIES), fc.oneof(fc.nat(1_000_000).map(String), pick(SPELLINGS)))
  .map(([text, quantity]) => text.replace('%', quantity))

export const patch: fc.Arbitrary<HostileRequest & { readonly body: string }> = fc
  .tuple(petId, body, pick(CONTENT_TYPES))
  .map(([pet, text, type]) => ({ ...toUpdate(pet, 0), body: text, headers: [KEY, `Content-Type: ${type}`] }))

const size = fc.integer({ min: 1, max: 200 })
const chunks = fc.record({
  sizes: fc.tuple(size, size),
  extension: pick(['', ';a=b', ';a="b c";d']),
  trailers: pick(['', 'X-Sum: 1\r\n', 'X-A: 1\r\nX-B: 2\r\n']),
})
const missing = toWords('11 0 -1 9223372036854775807 -9223372036854775808 9007199254740993')
/** Bodies that need many packets. */
const long = pick([65_536, 60_000, 20_000]).map((length) => ({
  ...toUpdate(1, 0),
  body: `{"note":"${'x'.repeat(length - 25)}","quantity":5}`.padEnd(length),
}))

/** A request that must be executed. */
export const valid: fc.Arbitrary<HostileRequest> = weigh<HostileRequest>(
  [60, patch],
  [30, list],
  [20, fc.tuple(patch, chunks).map(([update, sent]) => ({ ...update, chunks: sent }))],
  [10, fc.constant({ ...LIST, method: 'HEAD' })],
  [10, patch.map((update) => ({ ...update, headers: [KEY, JSON_BODY, 'Expect: 100-continue'] }))],
  [10, pick(missing).map((pet) => toUpdate(pet, 5))],
  [10, fc.constant(PREFLIGHT)],
  [5, fc.constant({ ...LIST, target: '/v1/pets/1' })],
  [2, long],
  [2, patch.map((update) => ({ ...update, headers: [KEY, JSON_BODY, 'Connection: close'], after: 'closed' }))],
)
