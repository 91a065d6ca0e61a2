import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { HttpResponse, http } from 'msw'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createServeLog } from '../src/cli/serve/serve-log.ts'
import { createMock, type Mock } from '../src/index.ts'
import { type RunningServer, serve } from '../src/runtimes/server.ts'
import { startTarget } from './wire/start-server.ts'

describe('a credential', () => {
  let mock: Mock
  let server: RunningServer
  const lines: string[] = []
  let logged = Promise.withResolvers<void>()
  const leave = new AbortController()

  beforeAll(async () => {
    mock = createMock({ prefer: true })
    const write = (line: string): void => {
      // Each log has a line of the request.
      if (lines.push(line) === 2) logged.resolve()
    }
    const io = { out: write, err: write, env: {}, isTerminal: { out: false, err: false } }
    const logs = (['pretty', 'json'] as const).map((format) => createServeLog(format, io))
    server = await serve(mock, { log: (entry) => logs.map((log) => log({ event: 'request', ...entry })) })
    const events = await fetch(`${server.url}/_mock/events`, { signal: leave.signal })
    void collect(events.body as ReadableStream<Uint8Array>)
  })
  afterAll(async () => {
    leave.abort()
    await server.close()
  })

  let told = ''
  async function collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    try {
      for await (const piece of stream) told += decoder.decode(piece)
    } catch {
      // The end of the test.
    }
  }

  test('in any header or address is repeated nowhere, and marked in the journal', { timeout: 60_000 }, async () => {
    const said = spyOnOutput()
    await fc.assert(
      fc.asyncProperty(request, async ({ target, headers, method }) => {
        lines.length = 0
        logged = Promise.withResolvers()
        const response = await send(server.port, toRequestText({ method, target, headers }))
        const journal = await (await fetch(`${server.url}/_mock/journal?limit=1`)).text()
        await logged.promise
        const shown = { response, journal, lines, state: mock.exportState(), last: mock.journal.last(), said }
        expect(findMarker(shown)).toEqual([])
      }),
      { numRuns: 300 },
    )
    await vi.waitFor(() => expect(told).toContain(`"id":${mock.journal.last()?.id},`))
    expect(told).not.toContain(MARKER)
    expect(told).toContain('(hidden)')
  })

  test('is not in what a server with handlers of the user’s own says either', async () => {
    const said = spyOnOutput()
    const own = createMock()
    own.use(http.all('*/never', () => HttpResponse.json({})))
    await using other = await serve(own)
    await fc.assert(
      fc.asyncProperty(request, async (each) => {
        const response = await send(other.port, toRequestText(each))
        expect(findMarker({ response, journal: own.journal.entries, said })).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  test('is not passed on to the target of a proxy without keys', async () => {
    const seen: unknown[] = []
    const proxy = await startTarget((request, response) => {
      seen.push(request.url, request.rawHeaders)
      response.end()
    })
    await using other = await serve(createMock({ proxy }))
    await fc.assert(
      fc.asyncProperty(request, async (each) => {
        seen.length = 0
        await send(other.port, toRequestText(each))
        expect(findMarker({ seen })).toEqual([])
      }),
      { numRuns: 200 },
    )
    await send(other.port, toRequestText({ method: 'GET', target: '/outside', headers: [] }))
    expect(seen).toContain('/outside')
  })

  test('that a handler of the user’s own sends is not in the journal', async () => {
    const own = createMock()
    own.use(
      http.get('*/login', () =>
        HttpResponse.json(
          {},
          {
            headers: [
              ['Set-Cookie', `session=${MARKER}`],
              ['Set-Cookie', `other=${MARKER}`],
              ['Location', `https://me:${MARKER}@shop.example/cb?state=1&access_token=${MARKER}`],
              ['X-Auth-Token', MARKER],
            ],
          },
        ),
      ),
    )
    const response = await own.fetch('/v1/login')
    expect(response.headers.get('x-auth-token')).toBe(MARKER)
    expect(own.journal.last()?.answer?.headers).toMatchObject({
      'set-cookie': '(hidden)',
      location: 'https://(hidden)@shop.example/cb?state=1&access_token=(hidden)',
      'x-auth-token': '(hidden)',
    })
  })
})

const MARKER = 'M4rk3rOfACredential'

const QUERY_NAMES = toWords(`
  access_token api_key apikey api-key apiKey key token id_token refresh_token auth password passwd pwd secret
  client_secret client[secret] signature sig jwt sid X-Amz-Signature X-Amz-Credential X-Amz-Security-Token
  bearer_token authorization session
`)
const HEADER_NAMES = toWords(`
  authorization proxy-authorization cookie set-cookie x-api-key api-key apikey x-auth-token x-mock-control-token
  x-csrf-token x-goog-api-key x-functions-key ocp-apim-subscription-key x-secret x-amz-security-token
`)

function toWords(text: string): string[] {
  return text.trim().split(/\s+/)
}

const space = fc.constantFrom('', ' ', '\t', '  ', ' \t ')
/** A name in any mixture of cases. */
const named = (names: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...names), fc.infiniteStream(fc.boolean()))
    .map(([name, upper]) => Array.from(name, (letter) => (upper.next().value ? letter.toUpperCase() : letter)).join(''))
/** The same, with any of its characters percent-encoded. */
const encoded = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.infiniteStream(fc.boolean()))
    .map(([name, isEncoded]) =>
      Array.from(name, (letter) =>
        isEncoded.next().value || letter === '[' || letter === ']' ? `%${letter.charCodeAt(0).toString(16)}` : letter,
      ).join(''),
    )

const authorization = fc
  .tuple(
    named(['authorization', 'proxy-authorization']),
    fc.constantFrom('Bearer', 'basic', 'Digest', 'Token', 'Negotiate', 'Bearer,', 'Bearer=', ''),
    space,
    space,
  )
  .map(([name, scheme, before, after]) => `${name}:${before}${scheme}${scheme === '' ? '' : ' '}${after}${MARKER}`)
const tabbed = named(['authorization']).map((name) => `${name}: Bearer\t${MARKER}`)
const keyHeader = fc
  .tuple(named(HEADER_NAMES), space, space)
  .map(([name, before, after]) => `${name}:${before}${MARKER}${after}`)
const hostHeader = fc.constant(`X-Forwarded-Uri: /a?token=${MARKER}`)
const refererHeader = fc
  .tuple(named(['referer', 'x-original-url', 'origin']), encoded(named(QUERY_NAMES)))
  .map(([name, parameter]) => `${name}: http://me:${MARKER}@127.0.0.1/?${parameter}=${MARKER}`)
const credentialHeader = fc.oneof(authorization, tabbed, keyHeader, hostHeader, refererHeader)

const path = fc.constantFrom(
  ...toWords(
    '/v1/inventory /v1/inventory/1 /v1/inventory/abc /v1/nowhere /v1/pets/1 /outside /_mock/nowhere /_mock/health',
  ),
)
const credentialTarget = fc.oneof(
  fc.tuple(path, encoded(named(QUERY_NAMES))).map(([own, name]) => `${own}?a=1&${name}=${MARKER}&b=2`),
  fc.tuple(path, named(QUERY_NAMES)).map(([own, name]) => `${own};${encodeURI(name)}=${MARKER}`),
  fc
    .tuple(path, named(QUERY_NAMES))
    .map(([own, name]) => `${own}?to=${encodeURIComponent(`https://me:${MARKER}@h/?${name}=${MARKER}`)}`),
  fc
    .tuple(path, fc.constantFrom('token', 'api_key'), fc.integer({ min: 2, max: 4 }))
    .map(([own, name, times]) => `${own}?to=${encode(`https://me:${MARKER}@h/?${name}=${MARKER}`, times)}`),
  path.map((own) => `http://me:${MARKER}@127.0.0.1${own}`),
  path.map((own) => `${own}/http://me:${MARKER}@127.0.0.1/`),
  path.map((own) => `${own}/${encodeURIComponent(`http://me:${MARKER}@127.0.0.1/`)}?a=1`),
)

function encode(text: string, times: number): string {
  return times === 0 ? text : encode(encodeURIComponent(text), times - 1)
}

const request = fc.record({
  method: fc.constantFrom('GET', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'),
  target: fc.oneof(path, credentialTarget),
  headers: fc.array(credentialHeader, { minLength: 1, maxLength: 4 }),
})

interface RawRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly string[]
}

function toRequestText({ method, target, headers }: RawRequest): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...headers, '', ''].join('\r\n')
}

async function send(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(text)
  let response = ''
  socket.setEncoding('latin1').on('data', (piece: string) => {
    response += piece
  })
  await once(socket, 'close')
  return response
}

/** All that goes to the console or to stdout and stderr while the test runs. */
function spyOnOutput(): unknown[] {
  const said: unknown[] = []
  for (const method of ['log', 'warn', 'error', 'info', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts) => void said.push(parts.map(String)))
  }
  return said
}

/** Where the marker is shown. */
function findMarker(shown: Readonly<Record<string, unknown>>): string[] {
  const toText = (value: unknown): string =>
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
  return Object.keys(shown).filter((place) => toText(shown[place] ?? null).includes(MARKER))
}
