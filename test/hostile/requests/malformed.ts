import type { Random } from '../random.ts'
import type { World } from '../world.ts'
import { isEither, isList, isRefused, isUpdated, unexpected } from './judges.ts'
import { authorize, type HeaderLine, type HostileRequest, JSON_BODY, type Judge, toBytes } from './request.ts'

type Maker = (random: Random, world: World) => HostileRequest

/** Hidden in bodies: a server that takes a body for a request executes it, and the model sees 666. */
const SMUGGLED = 666

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

const badFraming: Maker = (random, world) => {
  const smuggled = toSmuggled(world)
  const framing = random.pick<readonly HeaderLine[]>([
    [
      ['Content-Length', '5'],
      ['Content-Length', '6'],
    ],
    [
      ['Content-Length', '14'],
      ['content-length', '14'],
    ],
    [
      ['Content-Length', '14'],
      ['Transfer-Encoding', 'chunked'],
    ],
    [
      ['Transfer-Encoding', 'chunked'],
      ['Content-Length', '0'],
    ],
    [['Content-Length', '+14']],
    [['Content-Length', '-1']],
    [['Content-Length', '14, 14']],
    [['Content-Length', '0x0e']],
    [['Content-Length', '1e1']],
    [['Content-Length', '14 14']],
    [['Content-Length', '99999999999999999999999']],
    [['Content-Length', 'abc']],
    [['Transfer-Encoding', 'chunked, identity']],
    [['Transfer-Encoding', 'xchunked']],
    [['Transfer-Encoding', 'chunked;q=1']],
    [['Transfer-Encoding', 'identity']],
    [['Transfer-Encoding', 'gzip']],
    [
      ['Transfer-Encoding', 'chunked'],
      ['Transfer-Encoding', 'identity'],
    ],
    [['Transfer-Encoding\t', 'chunked']],
    [['Content-Length ', '14']],
  ])
  const bytes = toBytes({
    method: 'PATCH',
    target: '/v1/inventory/1',
    headers: [authorize(world), JSON_BODY, ...framing],
    body: Buffer.concat([Buffer.from('0\r\n\r\n'), smuggled]),
  })
  return malformed(`framing ${framing.map((line) => line.join(': ')).join(' + ')}`, bytes)
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
  const bytes = toBytes({
    method: 'PATCH',
    target: '/v1/inventory/1',
    headers: [authorize(world), JSON_BODY, ['Transfer-Encoding', 'chunked']],
    body: chunks,
  })
  return malformed(`chunks ${JSON.stringify(chunks.slice(0, 30))}`, bytes, [400, 413, 431])
}

const LENIENT: readonly string[] = ['no version', 'two spaces', 'two Hosts', 'no Host', 'version 2.0', 'RTSP']

const badHead: Maker = (random, world) => {
  const key = `Authorization: Bearer ${world.token}`
  const [title, head] = random.pick<readonly [string, string]>([
    ['bare LF', `GET /v1/inventory HTTP/1.1\nHost: a\n${key}\n\n`],
    ['bare LF in a header', `GET /v1/inventory HTTP/1.1\r\nHost: a\r\nX: a\nY: b\r\n${key}\r\n\r\n`],
    ['bare CR', `GET /v1/inventory HTTP/1.1\rHost: a\r${key}\r\r`],
    ['bare CR in a header', `GET /v1/inventory HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n${key}\r\n\r\n`],
    ['NUL in a header', `GET /v1/inventory HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n${key}\r\n\r\n`],
    ['NUL in the target', `GET /v1/inv\0entory HTTP/1.1\r\nHost: a\r\n${key}\r\n\r\n`],
    ['a byte beyond ASCII in the target', `GET /v1/inventory?\xe9 HTTP/1.1\r\nHost: a\r\n${key}\r\n\r\n`],
    ['space in the target', `GET /v1/ inventory HTTP/1.1\r\nHost: a\r\n${key}\r\n\r\n`],
    ['no colon', `GET /v1/inventory HTTP/1.1\r\nHost: a\r\nno colon\r\n${key}\r\n\r\n`],
    ['empty name', `GET /v1/inventory HTTP/1.1\r\nHost: a\r\n: x\r\n${key}\r\n\r\n`],
    ['space before the colon', `GET /v1/inventory HTTP/1.1\r\nHost : a\r\n${key}\r\n\r\n`],
    ['space before the first header', `GET /v1/inventory HTTP/1.1\r\n Host: a\r\n${key}\r\n\r\n`],
    ['no Host', `GET /v1/inventory HTTP/1.1\r\n${key}\r\n\r\n`],
    ['no version', `GET /v1/inventory\r\n\r\n`],
    ['version 2.0', `GET /v1/inventory HTTP/2.0\r\nHost: a\r\n${key}\r\n\r\n`],
    ['version 1.10', `GET /v1/inventory HTTP/1.10\r\nHost: a\r\n${key}\r\n\r\n`],
    ['preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['made-up method', `FROB /v1/inventory HTTP/1.1\r\nHost: a\r\n${key}\r\n\r\n`],
    ['method in lower case', `get /v1/inventory HTTP/1.1\r\nHost: a\r\n${key}\r\n\r\n`],
    ['a TLS hello', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03'],
    ['a line of SSH', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['no method', ` /v1/inventory HTTP/1.1\r\nHost: a\r\n${key}\r\n\r\n`],
    ['two spaces', `GET  /v1/inventory HTTP/1.1\r\nHost: a\r\n${key}\r\n\r\n`],
    ['RTSP', `DESCRIBE rtsp://a RTSP/1.0\r\nHost: a\r\n\r\n`],
    ['two Hosts', `GET /v1/inventory HTTP/1.1\r\nHost: a\r\nHost: b\r\n${key}\r\n\r\n`],
  ])
  const request = malformed(title, head)
  // Node reads these; whatever it makes of them, it says what becomes of the connection.
  const isLenient = LENIENT.includes(title)
  if (!isLenient) return { ...request, judge: isRefusal([400, 405, 501, 505]) }
  const refused = (): undefined => undefined
  return {
    ...request,
    judge: isEither({ 200: isList, 400: refused, 401: refused, 404: refused, 405: refused, 505: refused }),
    after: 'either',
  }
}

/** A folded line is refused, or read as one line (RFC 9112, section 5.2). */
const folded: Maker = (_random, world) => ({
  ...malformed(
    'obs-fold',
    `GET /v1/inventory HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\nAuthorization: Bearer ${world.token}\r\n\r\n`,
  ),
  judge: isEither({ 200: isList, 400: () => undefined }),
  after: 'either',
})

const hugeHead: Maker = (random, world) => {
  const headers = random.pick<readonly HeaderLine[]>([
    [['X-Huge', 'h'.repeat(20_000)]],
    [['X-Huge', 'h'.repeat(200_000)]],
    Array.from({ length: 3000 }, (_, turn) => [`X-${turn}`, 'many'] as const),
    [['h'.repeat(40_000), 'x']],
  ])
  const target = random.chance(0.2) ? `/${'t'.repeat(40_000)}` : '/v1/inventory'
  return malformed('a huge head', toBytes({ target, headers: [authorize(world), ...headers] }), [431])
}

/** The old version closes, unless it is asked not to. */
const oldVersion: Maker = (random, world) => {
  const keeps = random.chance(0.3)
  return {
    title: `HTTP/1.0${keeps ? ', keep-alive' : ''}`,
    method: 'GET',
    bytes: toBytes({
      version: 'HTTP/1.0',
      headers: [authorize(world), ...(keeps ? [['Connection', 'keep-alive'] as const] : [])],
    }),
    judge: isList,
    after: keeps ? 'either' : 'closed',
  }
}

/** A tunnel is not opened, and does not end without a word. */
const connect: Maker = (random, world) => {
  const target = random.pick(['127.0.0.1:80', 'evil.example:443', '/v1/inventory', '*', 'a'])
  return {
    title: `CONNECT ${target}`,
    method: 'CONNECT',
    bytes: toBytes({ method: 'CONNECT', target, headers: [authorize(world)] }),
    judge: isRefusal([400, 403, 404, 405, 501]),
    after: 'either',
  }
}

const star: Maker = () => ({
  title: 'OPTIONS *',
  method: 'OPTIONS',
  bytes: toBytes({ method: 'OPTIONS', target: '*' }),
  judge: (response) => (response.status < 500 ? undefined : unexpected(response, 'no fault of the server')),
  after: 'either',
})

/** An expectation that nobody knows. */
const badExpectation: Maker = (_random, world) => ({
  title: 'Expect: 200-maybe',
  method: 'PATCH',
  bytes: toBytes({
    method: 'PATCH',
    target: '/v1/inventory/1',
    headers: [authorize(world), JSON_BODY, ['Expect', '200-maybe']],
    body: '{"quantity":8}',
  }),
  judge: isEither({ 200: isUpdated('1', 8n), 404: isUpdated('1', 8n), 417: () => undefined }),
  after: 'either',
  onUnanswered: (model) => model.updatePerhaps('1', 8n),
})

/** A request of a valid length whose body looks like a request: it is a body. */
const smuggledBody: Maker = (_random, world) => ({
  title: 'a request as a body',
  method: 'PATCH',
  bytes: toBytes({
    method: 'PATCH',
    target: '/v1/inventory/1',
    headers: [authorize(world), JSON_BODY],
    body: toSmuggled(world),
  }),
  judge: isRefused(400),
  after: 'open',
})

/** A body where none is expected. */
const bodyOfGet: Maker = (_random, world) => ({
  title: 'GET with a body',
  method: 'GET',
  bytes: toBytes({ headers: [authorize(world)], body: toSmuggled(world) }),
  judge: isList,
  after: 'open',
})

/** Empty lines before a request are skipped (RFC 9112, section 2.2). */
const emptyLines: Maker = (_random, world) => ({
  title: 'empty lines first',
  method: 'GET',
  bytes: Buffer.concat([Buffer.from('\r\n\r\n'), toBytes({ headers: [authorize(world)] })]),
  judge: isList,
  after: 'open',
})

const MALFORMED: readonly (readonly [number, Maker])[] = [
  [4, badFraming],
  [2, badChunks],
  [4, badHead],
  [1, folded],
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

function toSmuggled(world: World): Buffer {
  return toBytes({
    method: 'PATCH',
    target: '/v1/inventory/1',
    headers: [authorize(world), JSON_BODY],
    body: `{"quantity":${SMUGGLED}}`,
  })
}
