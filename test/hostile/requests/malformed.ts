import fc from 'fast-check'
import { type HostileRequest, JSON_BODY, KEY, LIST, pick, toBytes, toUpdate, weigh } from './request.ts'

/** Hidden in bodies: a server that takes a body for a request executes it, and the list shows 666. */
const SMUGGLED = toBytes(toUpdate(1, 666), 'SANDBOX')

/** The rest of the connection cannot be parsed, so it closes after the error response. */
const MALFORMED = { statuses: [400], after: 'closed' } as const

const FRAMINGS: readonly (readonly string[])[] = [
  ['Content-Length: 5', 'Content-Length: 6'],
  ['Content-Length: 14', 'content-length: 14'],
  ['Content-Length: 14', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Content-Length: 0'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
  ...toLines(`
    Content-Length: +14
    Content-Length: -1
    Content-Length: 14, 14
    Content-Length: 0x0e
    Content-Length: 1e1
    Content-Length: 14 14
    Content-Length: 99999999999999999999999
    Content-Length: abc
    Transfer-Encoding: chunked, identity
    Transfer-Encoding: xchunked
    Transfer-Encoding: chunked;q=1
    Transfer-Encoding: identity
    Transfer-Encoding: gzip
    Transfer-Encoding\t: chunked
    Content-Length : 14
  `).map((line) => [line]),
]

const badFraming = pick(FRAMINGS).map((framing) => ({
  ...toUpdate(1, 5),
  ...MALFORMED,
  headers: [KEY, JSON_BODY, ...framing],
  body: Buffer.concat([Buffer.from('0\r\n\r\n'), SMUGGLED]),
}))

const badChunks = pick([
  'g\r\n{"quantity":5}\r\n0\r\n\r\n',
  '-1\r\n{"quantity":5}\r\n0\r\n\r\n',
  '0xe\r\n{"quantity":5}\r\n0\r\n\r\n',
  'e\n{"quantity":5}\n0\n\n',
  'e\r\n{"quantity":5}0\r\n\r\n',
  'd\r\n{"quantity":5}\r\n0\r\n\r\n',
  'fffffffffffffffff\r\n{"quantity":5}\r\n0\r\n\r\n',
  ' e\r\n{"quantity":5}\r\n0\r\n\r\n',
  'e\r\n{"quantity":5}\r\n0\r\nbad trailer\r\n\r\n',
  '\r\n\r\n',
  'e;\0\r\n{"quantity":5}\r\n0\r\n\r\n',
  `e;${'x'.repeat(40_000)}\r\n{"quantity":5}\r\n0\r\n\r\n`,
  `e\r\n{"quantity":5}\r\n0\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
]).map((body) => ({
  ...toUpdate(1, 5),
  ...MALFORMED,
  headers: [KEY, JSON_BODY, 'Transfer-Encoding: chunked'],
  body,
  statuses: [400, 413, 431],
}))

/** Heads, with the header that authorizes in place of KEY; a lenient one is read by Node, whatever it makes of it. */
const HEADS: readonly (readonly [head: string, isLenient?: 'lenient'])[] = [
  ['GET /v1/inventory HTTP/1.1\nHost: a\nKEY\n\n'],
  ['GET /v1/inventory HTTP/1.1\r\nHost: a\r\nX: a\nY: b\r\nKEY\r\n\r\n'],
  ['GET /v1/inventory HTTP/1.1\rHost: a\rKEY\r\r'],
  ['GET /v1/inventory HTTP/1.1\r\nHost: a\r\nX: a\rb\r\nKEY\r\n\r\n'],
  ['GET /v1/inventory HTTP/1.1\r\nHost: a\r\nX: a\0b\r\nKEY\r\n\r\n'],
  ['GET /v1/inv\0entory HTTP/1.1\r\nHost: a\r\nKEY\r\n\r\n'],
  ['GET /v1/inventory?\xe9 HTTP/1.1\r\nHost: a\r\nKEY\r\n\r\n'],
  ['GET http://\xff/v1/inventory HTTP/1.1\r\nHost: a\r\nKEY\r\n\r\n', 'lenient'],
  ['GET /v1/ inventory HTTP/1.1\r\nHost: a\r\nKEY\r\n\r\n'],
  ['GET /v1/inventory HTTP/1.1\r\nHost: a\r\nno colon\r\nKEY\r\n\r\n'],
  ['GET /v1/inventory HTTP/1.1\r\nHost: a\r\n: x\r\nKEY\r\n\r\n'],
  ['GET /v1/inventory HTTP/1.1\r\nHost : a\r\nKEY\r\n\r\n'],
  ['GET /v1/inventory HTTP/1.1\r\n Host: a\r\nKEY\r\n\r\n'],
  ['GET /v1/inventory HTTP/1.1\r\nKEY\r\n\r\n', 'lenient'],
  ['GET /v1/inventory\r\n\r\n', 'lenient'],
  ['GET /v1/inventory HTTP/2.0\r\nHost: a\r\nKEY\r\n\r\n', 'lenient'],
  ['GET /v1/inventory HTTP/1.10\r\nHost: a\r\nKEY\r\n\r\n'],
  ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['FROB /v1/inventory HTTP/1.1\r\nHost: a\r\nKEY\r\n\r\n'],
  ['get /v1/inventory HTTP/1.1\r\nHost: a\r\nKEY\r\n\r\n'],
  ['\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03'],
  ['SSH-2.0-OpenSSH_9.9\r\n'],
  [' /v1/inventory HTTP/1.1\r\nHost: a\r\nKEY\r\n\r\n'],
  ['GET  /v1/inventory HTTP/1.1\r\nHost: a\r\nKEY\r\n\r\n', 'lenient'],
  ['DESCRIBE rtsp://a RTSP/1.0\r\nHost: a\r\n\r\n', 'lenient'],
  ['GET /v1/inventory HTTP/1.1\r\nHost: a\r\nHost: b\r\nKEY\r\n\r\n', 'lenient'],
  // A folded line is refused, or read as one line (RFC 9112, section 5.2).
  ['GET /v1/inventory HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\nKEY\r\n\r\n', 'lenient'],
]

const badHead = pick(HEADS).map(([head, isLenient]): HostileRequest => {
  const raw = head.replace('KEY', KEY)
  return isLenient === undefined
    ? { raw, statuses: [400, 405, 501, 505], after: 'closed' }
    : { raw, statuses: [200, 400, 401, 404, 405, 505], after: 'either' }
})

const hugeHead = weigh<Partial<HostileRequest>>(
  [1, fc.constant({ target: `/${'t'.repeat(40_000)}` })],
  [1, pick([20_000, 200_000]).map((length) => ({ headers: [KEY, `X-Huge: ${'h'.repeat(length)}`] }))],
  [1, fc.constant({ headers: [KEY, ...Array.from({ length: 3000 }, (_, turn) => `X-${turn}: many`)] })],
  [1, fc.constant({ headers: [KEY, `${'h'.repeat(40_000)}: x`] })],
).map((huge): HostileRequest => ({ ...LIST, ...MALFORMED, statuses: [431], ...huge }))

/** What is allowed, and seldom seen. */
export const unusual: fc.Arbitrary<HostileRequest> = pick<HostileRequest>([
  // The old version closes, unless it is asked not to.
  { ...LIST, version: 'HTTP/1.0', after: 'closed' },
  { version: 'HTTP/1.0', headers: [KEY, 'Connection: keep-alive'], after: 'either' },
  { method: 'OPTIONS', target: '*', statuses: 'no fault of the server' as const, after: 'either' },
  // An expectation that nobody knows.
  { ...toUpdate(1, 8), headers: [KEY, JSON_BODY, 'Expect: 200-maybe'] },
  // Requests as a body, also where none is expected.
  { ...toUpdate(1, 5), body: SMUGGLED, statuses: [400] },
  { ...LIST, body: SMUGGLED },
  // Empty lines before a request are skipped (RFC 9112, section 2.2).
  { ...LIST, raw: `\r\n\r\n${toBytes(LIST, 'SANDBOX')}` },
])

/** A request that breaks the rules of HTTP. Behind one that waits for its response, it only closes the connection. */
export const malformed: fc.Arbitrary<HostileRequest> = weigh<HostileRequest>(
  [80, badFraming],
  [40, badChunks],
  [100, badHead],
  [10, hugeHead],
)

/** The lines of a text. */
function toLines(text: string): readonly string[] {
  return text.trim().split(/\n\s*/)
}
