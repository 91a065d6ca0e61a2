import { describe, expect, test, vi } from 'vitest'
import { createServeLog, explainRejection, type ServeEvent } from '../../src/cli/serve/serve-log.ts'
import { startCli, startPretty, startServe } from './run-cli.ts'

const TIME = new Date('2026-11-22T12:00:00Z')
const ERROR = { code: 'unauthorized', message: 'No key' }
const LISTED = { time: TIME, method: 'GET', path: '/v1/inventory', status: 200, duration: 1.23, sandbox: 'default' }
const REJECTED = { ...LISTED, status: 401, error: ERROR }

/** What the log for people writes of an event, to each stream, with `red(…)` for a text in red. */
function log(event: ServeEvent, { isTerminal = false } = {}): { out: string[]; err: string[] } {
  const [out, err]: [string[], string[]] = [[], []]
  createServeLog('pretty', {
    env: {},
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    isTerminal: { out: isTerminal, err: isTerminal },
  })(event)
  const names = { '[31m': 'red(', '[32m': 'green(', '[33m': 'yellow(', '[39m': ')' }
  const toNames = (line: string): string =>
    Object.entries(names).reduce((text, [code, name]) => text.replaceAll(`\u001b${code}`, name), line)
  return { out: out.map(toNames), err: err.map(toNames) }
}

describe('the log for people', () => {
  test.each([
    [LISTED, '200 1.2 ms'],
    [{ ...LISTED, sandbox: 'checkout-7' }, '200 1.2 ms [checkout-7]'],
    [REJECTED, '401 1.2 ms No key'],
    [{ ...REJECTED, hint: 'Send one' }, '401 1.2 ms No key. Send one'],
    [{ ...REJECTED, fault: { id: 1, status: 401 } }, '401 1.2 ms by fault 1'],
    [{ ...REJECTED, fault: { id: 1, delay: 5 } }, '401 1.2 ms by fault 1 (delay) No key'],
    [{ ...LISTED, status: undefined, fault: { id: 2, error: 'reset' as const } }, 'closed 1.2 ms by fault 2 (reset)'],
    [{ ...LISTED, by: 'proxy' as const }, '200 1.2 ms by proxy'],
    [{ ...LISTED, by: 'stub' as const }, '200 1.2 ms by stub'],
  ])('has a line for the request %j', (entry, line) => {
    expect(log({ event: 'request', ...entry }).out).toEqual([`12:00:00 GET /v1/inventory ${line}`])
  })

  test.each([
    [200, 'green(200)'],
    [304, 'green(304)'],
    [400, 'yellow(400)'],
    [500, 'red(500)'],
    [undefined, 'red(closed)'],
  ])('has the status %s in its colour', (status, text) => {
    expect(log({ event: 'request', ...LISTED, status }, { isTerminal: true }).out).toEqual([
      `12:00:00 GET /v1/inventory ${text} 1.2 ms`,
    ])
  })

  const CALLED = { event: 'stability', operation: 'getPet', method: 'GET', path: '/pets/{petId}' } as const
  test.each<[ServeEvent, string]>([
    [{ event: 'reloaded', fixture: 'w.json', pets: 40 }, 'Reloaded w.json: 40 pets; all sandboxes were reset'],
    [{ event: 'reloaded', file: 's.yaml', stubs: 1 }, 'Reloaded s.yaml: 1 stub'],
    [{ event: 'saved', file: 'a.json', sandboxes: 2, changes: 1 }, 'Saved a.json: 2 sandboxes, 1 change'],
    [
      { ...CALLED, stability: 'experimental' },
      'getPet (GET /pets/{petId}) is experimental: its requests may change in a later version of the service.',
    ],
    [{ ...CALLED, stability: 'deprecated' }, 'getPet (GET /pets/{petId}) is deprecated: the service will remove it.'],
  ])('writes %j', (event, line) => {
    expect(log(event, { isTerminal: true })).toEqual({ out: [line], err: [] })
  })

  test.each<[ServeEvent, string[]]>([
    [{ event: 'refused', message: 'Bad.', kept: 'stubs' }, ['red(Bad.)\nUnchanged: the stubs.']],
    [
      { event: 'violation', method: 'GET', path: '/v1/inventory', status: 200, violations: ['One', 'two\u001b'] },
      ['red(GET /v1/inventory 200: One)', 'red(GET /v1/inventory 200: two\\u{1b})'],
    ],
  ])('writes to stderr %j', (event, lines) => {
    expect(log(event, { isTerminal: true })).toEqual({ out: [], err: lines })
  })

  test.each([
    [{ file: 'a.json', isOtherFixture: false }, ['  state    a.json, a new file']],
    [
      { file: 'a.json', isOtherFixture: true, sandboxes: 2, changes: 1 },
      [
        '  state    a.json, loaded: 2 sandboxes, 1 change',
        '           it overrides the fixture low-stock until you reset a sandbox',
      ],
    ],
  ])('begins with the state %j', (state, lines) => {
    const address = { url: 'http://127.0.0.1:1/v1', port: 1, console: undefined, noConsole: '--no-control' }
    const pets = { fixture: 'low-stock', fixturePets: 10, pets: 3, settings: {} }
    const { out } = log({ event: 'listening', ...address, ...pets, state, isOwnKey: false, version: '0.0.0' })
    expect(out.slice(1, -3)).toEqual(['  fixture  low-stock, 10 pets', ...lines])
  })
})

describe('the advice about a rejected key', () => {
  test.each([
    [{}, ''],
    [{ error: { ...ERROR, code: 'NO_KEY' } }, ''],
    [{ fault: { id: 1, delay: 5 } }, ''],
    [{ keyProblem: 'missing' as const }, 'The request has no Authorization header. '],
    [{ keyProblem: 'scheme' as const }, 'Its Authorization header does not begin with "Bearer ". '],
  ])('with %j is: %sSend …', (entry, problem) => {
    const advise = (hasDemoKey: boolean) => explainRejection({ ...REJECTED, ...entry }, hasDemoKey)
    expect(advise(true)).toBe(`${problem}Send authorization: Bearer demo-key`)
    expect(advise(false)).toBe(`${problem}Send a key of --api-key`)
  })

  test('is about the name of the sandbox where that is wrong', () => {
    expect(explainRejection({ ...REJECTED, keyProblem: 'sandbox' }, true)).toBe(
      'The name of the sandbox, after ~ or in baggage, is invalid: use 1 to 64 letters, digits, dots, underscores and hyphens',
    )
  })

  const { error: _error, ...noError } = REJECTED
  const { sandbox: _sandbox, ...ofControl } = REJECTED
  test.each([
    { ...REJECTED, status: 404 },
    { ...REJECTED, fault: { id: 1, status: 401 } },
    { ...REJECTED, by: 'proxy' as const },
    { ...REJECTED, by: 'handler' as const },
    noError,
    ofControl,
  ])('is not given for %j', (entry) => {
    expect(explainRejection(entry, true)).toBeUndefined()
  })
})

describe('the log of a server', () => {
  test('says why each request was refused and by which fault, and shows no secret', async () => {
    const { out, url, ask } = await startPretty('-k', 'demo-key', '-k', 'own-secret', '--base-url', '/api')
    const headers = { authorization: 'Basic own-secret' }
    await fetch(`${url}/inventory`, { headers })
    await ask('/inventory', { key: 'demo-key~test_x[a-1]' })
    await ask('/inventry')
    await vi.waitUntil(() => out().split('\n').at(-1)?.includes('inventry'))
    const lines = out()
      .split('\n')
      .flatMap((line) => /(\d{3}) \S+ ms (.*)/.exec(line)?.slice(1).join(' ') ?? [])
    expect(lines).toEqual([
      expect.stringMatching(/^401 .*begin with "Bearer ".*: Bearer demo-key$/),
      expect.stringMatching(/^401 .*name of the sandbox/),
      expect.stringMatching(/^404 .*Did you mean \/api\/inventory\?$/),
    ])
    expect(out()).not.toMatch(/own-secret|test_x/)
  })

  test('in JSON says the same', async () => {
    const { url, out } = await startServe()
    await fetch(`${url}/inventory`)
    await vi.waitFor(() => expect(out().split('\n')).toHaveLength(2))
    const [listening, refused] = out()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    const port = Number(new URL(url).port)
    expect(listening).toMatchObject({ event: 'listening', url, port, fixture: 'default', pets: 10 })
    expect(refused).toMatchObject({
      event: 'request',
      method: 'GET',
      path: '/v1/inventory',
      status: 401,
      sandbox: 'default',
      error: { code: 'unauthorized', message: 'API key is missing or invalid' },
    })
  })

  test('says once that an operation is not stable, when it is first called', async () => {
    const { out, ask } = await startServe()
    for (const line of ['OPTIONS /inventory/1', 'PATCH /inventory/1', 'PATCH /inventory/2', 'HEAD /pets/1']) {
      const [method = '', path = ''] = line.split(' ')
      await ask(path, { method })
    }
    await ask('/pets/1')
    await ask('/inventory')
    await vi.waitFor(() => expect(out()).toMatch(/GET.{1,20}\/v1\/inventory\W/))
    const seen = out().matchAll(/"event":"stability","operation":"(\w+)".*"stability":"(\w+)"/g)
    expect(Array.from(seen, ([, ...words]) => words)).toEqual([
      ['updateInventory', 'experimental'],
      ['getPet', 'deprecated'],
    ])
  })

  test('with --log silent says nothing, and with --quiet nothing of requests', async () => {
    const quiet = await startServe('--quiet')
    expect((await fetch(`${quiet.url}/inventory`)).status).toBe(401)
    await quiet.stop()
    expect(quiet.out().split('\n')).toHaveLength(1)
    const { out, err, stop, opened } = startCli('--port', '0', '--log', 'silent', '--open')
    const page = await vi.waitUntil(() => opened[0])
    expect((await fetch(new URL('/v1/inventory', page))).status).toBe(401)
    expect([await stop(), out(), err()]).toEqual([0, '', ''])
  })
})
