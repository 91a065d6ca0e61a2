import type { Random } from '../random.ts'
import type { World } from '../world.ts'
import { isEither, isList, isRefused, isUpdated, unexpected } from './judges.ts'
import {
  authorize,
  type HostileRequest,
  JSON_BODY,
  type Judge,
  toBytes,
  toHostile,
  toLines,
  toUpdate,
} from './request.ts'

type Maker = (random: Random, world: World) => HostileRequest

/** Hidden in bodies: a server that takes a body for a request executes it, and the model sees 666. */
const SMUGGLED = 666n

/** The rest of the connection cannot be parsed, so it closes after the error response. */
function malformed(title: string, bytes: Buffer | string, statuses: readonly number[] = [400]): HostileRequest {
  return {
    title,
    method: 'GET',
    bytes: typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes,
    judge: isRefusal(statuses),
    after: 'closed',
  }
}

/** Bytes that no operation saw: the refusal may have no body, but what it has is an Error object. */
function isRefusal(statuses: readonly number[]): Judge {
  return (response, world) => {
    if (!statuses.includes(response.status)) return unexpected(response, statuses.join(' or '))
    return response.body.byteLength === 0 ? undefined : isRefused(...statuses)(response, world)
  }
}

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

const badFraming: Maker = (random, world) => {
  const framing = random.pick(FRAMINGS)
  const bytes = toBytes({
    method: 'PATCH',
    target: '/v1/inventory/1',
    headers: [authorize(world), JSON_BODY, ...framing],
    body: Buffer.concat([Buffer.from('0\r\n\r\n'), toUpdate(world, '1', SMUGGLED)]),
  })
  return malformed(`framing ${framing.join(' + ')}`, bytes)
}

const badChunks: Maker = (random, world) => {
  const chunks = random.pick([
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
  ])
  const headers = [authorize(world), JSON_BODY, 'Transfer-Encoding: chunked']
  const bytes = toBytes({ method: 'PATCH', target: '/v1/inventory/1', headers, body: chunks })
  return malformed(`chunks ${JSON.stringify(chunks.slice(0, 30))}`, bytes, [400, 413, 431])
}

/** Heads, with the header that authorizes in place of KEY; a lenient one is read by Node, whatever it makes of it. */
const HEADS: readonly (readonly [head: string, isLenient?: 'lenient'])[] = [
  ['GET /v1/inventory HTTP/1.1\nHost: a\nKEY\n\n'],
  ['GET /v1/inventory HTTP/1.1\r\nHost: a\r\nX: a\nY: b\r\nKEY\r\n\r\n'],
  ['GET /v1/inventory HTTP/1.1\rHost: a\rKEY\r\r'],
  ['GET /v1/inventory HTTP/1.1\r\nHost: a\r\nX: a\rb\r\nKEY\r\n\r\n'],
  ['GET /v1/inventory HTTP/1.1\r\nHost: a\r\nX: a\0b\r\nKEY\r\n\r\n'],
  ['GET /v1/inv\0entory HTTP/1.1\r\nHost: a\r\nKEY\r\n\r\n'],
  ['GET /v1/inventory?\xe9 HTTP/1.1\r\nHost: a\r\nKEY\r\n\r\n'],
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

const badHead: Maker = (random, world) => {
  const [head, isLenient] = random.pick(HEADS)
  const request = malformed(JSON.stringify(head), head.replace('KEY', authorize(world)))
  if (!isLenient) return { ...request, judge: isRefusal([400, 405, 501, 505]) }
  const refused = (): undefined => undefined
  return {
    ...request,
    judge: isEither({ 200: isList, 400: refused, 401: refused, 404: refused, 405: refused, 505: refused }),
    after: 'either',
  }
}

const hugeHead: Maker = (random, world) => {
  const headers = random.pick<readonly string[]>([
    [`X-Huge: ${'h'.repeat(20_000)}`],
    [`X-Huge: ${'h'.repeat(200_000)}`],
    Array.from({ length: 3000 }, (_, turn) => `X-${turn}: many`),
    [`${'h'.repeat(40_000)}: x`],
  ])
  const target = random.chance(0.2) ? `/${'t'.repeat(40_000)}` : '/v1/inventory'
  return malformed('a huge head', toBytes({ target, headers: [authorize(world), ...headers] }), [431])
}

/** The old version closes, unless it is asked not to. */
const oldVersion: Maker = (random, world) => {
  const extras = random.chance(0.3) ? ['Connection: keep-alive'] : []
  return toHostile({
    title: `HTTP/1.0 ${extras}`,
    version: 'HTTP/1.0',
    headers: [authorize(world), ...extras],
    judge: isList,
    after: extras.length > 0 ? 'either' : 'closed',
  })
}

/** A tunnel is not opened, and does not end without a word. */
const connect: Maker = (random, world) =>
  toHostile({
    method: 'CONNECT',
    target: random.pick(['127.0.0.1:80', 'evil.example:443', '/v1/inventory', '*', 'a']),
    headers: [authorize(world)],
    judge: isRefusal([400, 403, 404, 405, 501]),
    after: 'either',
  })

const star: Maker = () =>
  toHostile({
    method: 'OPTIONS',
    target: '*',
    judge: (response) => (response.status < 500 ? undefined : unexpected(response, 'no fault of the server')),
    after: 'either',
  })

/** An expectation that nobody knows. */
const badExpectation: Maker = (_random, world) =>
  toHostile({
    title: 'Expect: 200-maybe',
    method: 'PATCH',
    target: '/v1/inventory/1',
    headers: [authorize(world), JSON_BODY, 'Expect: 200-maybe'],
    body: '{"quantity":8}',
    judge: isEither({ 200: isUpdated('1', 8n), 404: isUpdated('1', 8n), 417: () => undefined }),
    after: 'either',
    onUnanswered: (model) => model.updatePerhaps('1', 8n),
  })

/** A request of a valid length whose body looks like a request: it is a body. */
const smuggledBody: Maker = (_random, world) =>
  toHostile({
    title: 'a request as a body',
    method: 'PATCH',
    target: '/v1/inventory/1',
    headers: [authorize(world), JSON_BODY],
    body: toUpdate(world, '1', SMUGGLED),
    judge: isRefused(400),
  })

/** A body where none is expected. */
const bodyOfGet: Maker = (_random, world) =>
  toHostile({
    title: 'GET with a body',
    headers: [authorize(world)],
    body: toUpdate(world, '1', SMUGGLED),
    judge: isList,
  })

/** Empty lines before a request are skipped (RFC 9112, section 2.2). */
const emptyLines: Maker = (_random, world) => {
  const request = toHostile({ title: 'empty lines first', headers: [authorize(world)], judge: isList })
  return { ...request, bytes: Buffer.concat([Buffer.from('\r\n\r\n'), request.bytes]) }
}

const MALFORMED: readonly (readonly [number, Maker])[] = [
  [4, badFraming],
  [2, badChunks],
  [5, badHead],
  [0.5, hugeHead],
  [1, oldVersion],
  [1, connect],
  [1, star],
  [1, badExpectation],
  [2, smuggledBody],
  [1, bodyOfGet],
  [1, emptyLines],
]

/** A request that breaks the rules of HTTP, or stretches them. */
export function makeMalformed(random: Random, world: World): HostileRequest {
  return random.weigh(MALFORMED)(random, world)
}
