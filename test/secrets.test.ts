import { once } from 'node:events'
import { connect } from 'node:net'
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
    for (const request of REQUESTS) {
      lines.length = 0
      logged = Promise.withResolvers()
      const response = await send(server.port, request)
      const journal = await (await fetch(`${server.url}/_mock/journal?limit=1`)).text()
      await logged.promise
      const shown = { response, journal, lines, state: mock.exportState(), last: mock.journal.last(), said }
      expect(findMarker(shown), request).toEqual([])
    }
    await vi.waitFor(() => expect(told).toContain(`"id":${mock.journal.last()?.id},`))
    expect(told).not.toContain(MARKER)
    expect(told).toContain('(hidden)')
  })

  test('is not in what a server with handlers of the user’s own says either', async () => {
    const said = spyOnOutput()
    const own = createMock()
    own.use(http.all('*/never', () => HttpResponse.json({})))
    await using other = await serve(own)
    for (const request of REQUESTS) {
      const response = await send(other.port, request)
      expect(findMarker({ response, journal: own.journal.entries, said }), request).toEqual([])
    }
  })

  test('is not passed on to the target of a proxy without keys', async () => {
    const seen: unknown[] = []
    const proxy = await startTarget((request, response) => {
      seen.push(request.url, request.rawHeaders)
      response.end()
    })
    await using other = await serve(createMock({ proxy }))
    for (const request of REQUESTS) await send(other.port, request)
    expect(findMarker({ seen })).toEqual([])
    expect(seen.length).toBeGreaterThan(50)
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

/** Lines of a head that hold one. More names and forms: test/http/hide-credentials.test.ts. */
const HEADERS = [
  `Authorization: Bearer ${MARKER}`,
  `authorization:\t${MARKER} \t`,
  `AUTHORIZATION: Bearer\t${MARKER}`,
  `Authorization: Bearer, ${MARKER}`,
  `Proxy-Authorization: Negotiate  ${MARKER}`,
  `Cookie: a=1; session=${MARKER}`,
  `X-Api-KEY:${MARKER}`,
  `X-GitHub-OTP: ${MARKER}`,
  `X-Mock-Control-Token: ${MARKER}`,
  `x-amz-security-token:  ${MARKER}`,
  `X-Forwarded-Uri: /a?token=${MARKER}`,
  `Referer: http://me:${MARKER}@127.0.0.1/?Client%5Fsecret=${MARKER}`,
  `X-Original-Url: http://127.0.0.1/?%61ccess_token=${MARKER}`,
  `Origin: http://me:${MARKER}@127.0.0.1`,
]

const PATHS =
  '/v1/inventory /v1/inventory/1 /v1/inventory/abc /v1/nowhere /v1/pets/1 /outside /_mock/nowhere /_mock/health'

/** What is put behind a path, or around it, to hold one. */
const TARGETS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `${path}?mfa_code=${MARKER}&Access_Token=${MARKER}&b=2`,
  (path) => `${path}?%70assword=${MARKER}&client%5Bsecret%5D=${MARKER}`,
  (path) => `${path};jsessionid=${MARKER}`,
  (path) => `${path}?to=${encodeURIComponent(`https://me:${MARKER}@h/?X-Amz-Signature=${MARKER}`)}`,
  (path) => `${path}?to=${encodeURIComponent(encodeURIComponent(`https://me:${MARKER}@h/?api_key=${MARKER}`))}`,
  (path) => `http://me:${MARKER}@127.0.0.1${path}`,
  (path) => `${path}/http://me:${MARKER}@127.0.0.1/`,
  (path) => `${path}/${encodeURIComponent(`http://me:${MARKER}@127.0.0.1/`)}?a=1`,
]

const METHODS = ['GET', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']

/** Every path with every target, under the methods and headers in turn. */
const REQUESTS: readonly string[] = PATHS.split(' ').flatMap((path, row) =>
  TARGETS.map((toTarget, column) => {
    const turn = row * TARGETS.length + column
    const headers = [HEADERS[turn % HEADERS.length], HEADERS[(turn + row + 1) % HEADERS.length]]
    const line = `${METHODS[turn % METHODS.length]} ${toTarget(path)} HTTP/1.1`
    return [line, 'Host: 127.0.0.1', 'Connection: close', ...new Set(headers), '', ''].join('\r\n')
  }),
)

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
