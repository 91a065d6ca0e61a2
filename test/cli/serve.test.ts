import { writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { toOpener } from '../../src/cli/io.ts'
import { main } from '../../src/cli/main.ts'
import { serve } from '../../src/runtimes/server.ts'
import { createMock } from '../../src/service/create-mock.ts'
import { createTlsFlags } from '../wire/certificate.ts'
import { runCli, startCli, startPretty, startServe, startServeIn } from './run-cli.ts'
import { makeSharedFolder } from './state-folder.ts'

const AUTHORIZED = { authorization: 'Bearer demo-key' }

const folder = await makeSharedFolder()

async function write(name: string, content: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, content)
  return file
}

describe('petstore-mock serve', () => {
  test('says where it answers, with which key, and a line to try', async () => {
    const { out, stop, url } = await startPretty('--fixture', 'low-stock')
    expect(out()).toContain('fixture  low-stock, 10 pets')
    expect(out()).not.toContain('delay')
    expect(out()).toContain('key      demo-key')
    expect(out()).toMatch(/console {2}http:\/\/127\.0\.0\.1:\d+\/_mock\/$/m)
    expect(out()).toContain(`curl -H 'authorization: Bearer demo-key' ${url}/inventory`)
    expect((await fetch(`${url}/inventory`, { headers: AUTHORIZED })).status).toBe(200)
    await vi.waitFor(() => expect(out()).toMatch(/\d\d:\d\d:\d\d GET \/v1\/inventory 200 \d+\.\d ms$/))
    expect(await stop()).toBe(0)
  })

  test('with a key of your own, the line to try can be pasted once your key is put in', async () => {
    const { out, url } = await startPretty('-k', 'own-secret')
    expect(out()).toContain(`try      curl -H 'authorization: Bearer YOUR_KEY' ${url}/inventory`)
    expect(out()).not.toContain('own-secret')
  })

  test.each([
    [[], 'Send authorization: Bearer demo-key'],
    [['-k', 'own-secret'], 'Send a key of --api-key that is not revoked'],
  ])('the log of a 401 says which key works, and shows no secret: %j', async (flags, note) => {
    const { out, url } = await startPretty(...flags)
    await (await fetch(`${url}/inventory`)).text()
    await vi.waitFor(() => expect(out()).toMatch(/GET \/v1\/inventory 401/))
    expect(out().split('\n').at(-1)?.split(' ms').at(-1)).toBe(
      ` API key is missing or invalid. The request has no Authorization header. ${note}`,
    )
    expect(out()).not.toContain('own-secret')
  })

  test('the log of a 401 says what is wrong with the header, also after a delay', async () => {
    const { out, url } = await startPretty('-k', 'own-secret')
    await fetch(new URL('/_mock/faults', url), { method: 'POST', body: '{"delay":1,"times":1}' })
    for (const key of ['own-secret', 'Basic own-secret', 'Bearer other'])
      await (await fetch(`${url}/inventory`, { headers: { authorization: key } })).text()
    await vi.waitFor(() => expect(out().match(/ 401 /g)).toHaveLength(3))
    const scheme = 'Its Authorization header does not begin with "Bearer ". Send a key of --api-key that is not revoked'
    expect(out().split('\n').slice(-3)).toEqual([
      expect.stringMatching(new RegExp(` ms by fault 1 \\(delay\\) API key is missing or invalid\\. ${scheme}$`)),
      expect.stringMatching(new RegExp(` ms API key is missing or invalid\\. ${scheme}$`)),
      expect.stringMatching(/ ms API key is missing or invalid\. Send a key of --api-key that is not revoked$/),
    ])
    expect(out()).not.toContain('own-secret')
  })

  test.each([[[]], [['--any-key']], [['-k', 'demo-key', '-k', 'own-secret']]])(
    'the log of a 401 does not name a key that was revoked: %j',
    async (flags) => {
      const { out, stop, url } = await startPretty(...flags)
      const keys = new URL('/_mock/keys?sandbox=a', url)
      expect((await fetch(keys, { method: 'POST', body: '{"revoke":"demo-key"}' })).status).toBe(204)
      await (await fetch(`${url}/inventory`, { headers: { authorization: 'Bearer demo-key~a' } })).text()
      await vi.waitFor(() => expect(out()).toMatch(/GET \/v1\/inventory 401/))
      expect(out().split('\n').at(-1)?.split('missing or invalid.').at(-1)).toBe(
        ' Send a key of --api-key that is not revoked',
      )
      expect(await stop()).toBe(0)
    },
  )

  test('the log of a 404 outside the base path says where the API is', async () => {
    const { out, url } = await startPretty('--base-url', '/api/v2')
    for (const path of ['/inventory', '/api/v2/inventry']) await (await fetch(new URL(path, url))).text()
    await vi.waitFor(() => expect(out().split('\n')).toHaveLength(8))
    const [outside, inside] = out().split('\n').slice(-2)
    expect(outside).toMatch(
      /404 \S+ ms There is no route GET \/inventory in petstore-mock\. Did you mean \/api\/v2\/inventory\?$/,
    )
    expect(inside).toMatch(
      /404 \S+ ms There is no route GET \/api\/v2\/inventry in petstore-mock\. Did you mean \/api\/v2\/inventory\?$/,
    )
  })

  test('--log json says the same in lines of JSON', async () => {
    const { url, out } = await startServe()
    await (await fetch(`${url}/inventory`)).text()
    await vi.waitFor(() => expect(out().split('\n')).toHaveLength(2))
    const [listening, request] = out()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(listening).toMatchObject({
      event: 'listening',
      url,
      port: Number(new URL(url).port),
      fixture: 'default',
      pets: 10,
    })
    expect(request).toMatchObject({ event: 'request', method: 'GET', path: '/v1/inventory', status: 401 })
    expect(request).toMatchObject({
      sandbox: 'default',
      error: { code: 'unauthorized', message: 'API key is missing or invalid' },
    })
  })

  test.each([
    ['pretty', /^ {0}updateInventory \(PATCH \/inventory\/\{petId\}\) is experimental/gm, /^getPet .* is deprecated/gm],
    [
      'json',
      /"event":"stability","operation":"updateInventory".*"experimental"/g,
      /"operation":"getPet".*"deprecated"/g,
    ],
  ])('--log %s says once that an operation is not stable, when it is first called', async (format, ...lines) => {
    const { out } = startCli('serve', '--port', '0', '--log', format)
    const url = await vi.waitUntil(() => /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(out())?.[0])
    for (const [method, path] of [
      ['OPTIONS', '/inventory/1'],
      ['PATCH', '/inventory/1'],
      ['PATCH', '/inventory/2'],
      ['HEAD', '/pets/1'],
      ['GET', '/pets/1'],
      ['GET', '/inventory'],
    ] as const)
      await (await fetch(url + path, { method, headers: AUTHORIZED })).text()
    await vi.waitFor(() => expect(out()).toMatch(/GET.{1,20}\/v1\/inventory\W/))
    expect(lines.map((line) => out().match(line)?.length)).toEqual([1, 1])
    expect(out()).not.toMatch(/listInventory/)
  })

  test('the log says why a request was refused, in which sandbox and by which fault', async () => {
    const { out, url } = await startPretty()
    const key = { authorization: 'Bearer demo-key~checkout-7' }
    const lines = async (...expected: RegExp[]) => {
      const pattern = new RegExp(`${expected.map(({ source }) => `\\d ms${source}$`).join('\\n[^\\n]*')}`, 'm')
      await vi.waitFor(() => expect(out()).toMatch(pattern))
    }
    await fetch(`${url}/inventory`)
    await lines(
      / API key is missing or invalid\. The request has no Authorization header\. Send authorization: Bearer demo-key/,
    )
    await fetch(`${url}/inventory`, { headers: { authorization: 'Bearer demo-key~test_x[a-1]' } })
    await lines(
      / API key is missing or invalid\. The name of the sandbox after ~ is invalid: use 1 to 64 letters, digits, dots, underscores and hyphens/,
    )
    await fetch(`${url}/inventory/9`, { method: 'PATCH', headers: key, body: '{}' })
    await lines(/ \[checkout-7\] .*application\/json.*/)
    expect(out()).not.toContain('test_x')
    await fetch(`${url}/nope`)
    await lines(/ There is no route GET \/v1\/nope in petstore-mock/)
    const addFault = (fault: object) =>
      fetch(new URL('/_mock/faults?sandbox=checkout-7', url), { method: 'POST', body: JSON.stringify(fault) })
    await addFault({ status: 503, times: 1, body: { code: 'mine', message: 'two\nlines' } })
    await fetch(`${url}/inventory`, { headers: key })
    await lines(/ \[checkout-7\] by fault 1/)
    await addFault({ error: 'reset', times: 1 })
    await fetch(`${url}/inventory`, { headers: key }).catch(() => {})
    await vi.waitFor(() => expect(out()).toMatch(/closed \d+\.\d ms \[checkout-7\] by fault 2 \(reset\)$/))
  })

  test('--log silent says nothing', async () => {
    const { out, err, stop, opened } = startCli('--port', '0', '--log', 'silent', '--open')
    const page = await vi.waitUntil(() => opened[0])
    expect((await fetch(new URL('/v1/inventory', page))).status).toBe(401)
    expect([await stop(), out(), err()]).toEqual([0, '', ''])
  })

  test('keys, range and fixture by flags', async () => {
    const file = await write('one.json', '{"inventory":[{"petId":9223372036854775807,"quantity":1,"status":"sold"}]}')
    const { url } = await startServe('-f', file, '-k', 'one', '-k', 'two', '--quantity-min', '0', '--quantity-max', '9')
    for (const [key, status] of Object.entries({ one: 200, two: 200, 'demo-key': 401 })) {
      expect((await fetch(`${url}/inventory`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(status)
    }
    const patched = await fetch(`${url}/inventory/9223372036854775807`, {
      method: 'PATCH',
      headers: { authorization: 'Bearer one', 'content-type': 'application/json' },
      body: '{"quantity":9}',
    })
    expect(await patched.text()).toBe('{"petId":9223372036854775807,"quantity":9,"status":"sold"}')
  })

  test('--base-url moves the service: in the start message, the control API and the specification', async () => {
    const { url } = await startServe('--base-url', 'https://pets.example/api/v2/')
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v2$/)
    expect((await fetch(`${url}/inventory`, { headers: AUTHORIZED })).status).toBe(200)
    expect((await fetch(new URL('/v1/inventory', url), { headers: AUTHORIZED })).status).toBe(404)
    const get = async (path: string) => (await fetch(new URL(path, url))).json()
    expect(await get('/_mock/health')).toMatchObject({ basePath: '/api/v2' })
    expect(await get('/_mock/spec.json')).toMatchObject({ servers: [{ url: 'https://pets.example/api/v2' }] })
  })

  test('--proxy sends on what the specification does not show, with --proxy-keys also keys, and the log says so', async () => {
    const target = createMock({ fixture: 'sold-out' })
    await using server = await serve(target)
    const { url, out } = await startServe('--base-url', '/api', '--proxy', server.url, '--proxy-keys')
    const response = await fetch(new URL('/v1/inventory', url), { headers: AUTHORIZED })
    expect(await response.json()).toEqual(target.inventory.list())
    await vi.waitFor(() => expect(out()).toMatch(/"path":"\/v1\/inventory","status":200.*"isProxied":true/))
  })

  test('--quiet leaves the requests out of the log', async () => {
    const { url, out, stop } = await startServe('--quiet')
    expect((await fetch(`${url}/inventory`)).status).toBe(401)
    await stop()
    expect(out().split('\n')).toHaveLength(1)
  })

  test('--open opens the console in the browser', async () => {
    const { url, opened } = await startServe('--open')
    expect(opened).toEqual([new URL('/_mock/', url).href])
    const page = await fetch(opened[0] ?? '')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })

  test('a browser that does not open is one line, and the mock goes on', async () => {
    const io = { out: vi.fn(), err: vi.fn(), open: async () => Promise.reject(new Error('spawn ENOENT')) }
    const controller = new AbortController()
    const done = main(['--port', '0', '--open', '--log', 'json'], {
      ...io,
      env: {},
      stop: controller.signal,
      hold: () => {},
      takeSignals: () => () => {},
      isTerminal: { out: false, err: false },
    })
    await vi.waitFor(() => expect(io.err).toHaveBeenCalled())
    controller.abort()
    expect(await done).toBe(0)
    expect(io.err.mock.calls).toEqual([['--open: could not start a browser (spawn ENOENT).']])
  })

  test.each([
    ['darwin', 'open', ['http://127.0.0.1:4100/_mock/']],
    ['win32', 'cmd', ['/c', 'start', '""', 'http://127.0.0.1:4100/_mock/']],
    ['linux', 'xdg-open', ['http://127.0.0.1:4100/_mock/']],
  ])('on %s the browser is opened by %s', (platform, command, args) => {
    expect(toOpener(platform, 'http://127.0.0.1:4100/_mock/')).toEqual({ command, args })
  })

  test('--pets makes an inventory, the same for the same seed', async () => {
    const [one, two] = [
      await startServe('--pets', '30', '--random-seed', '4'),
      await startServe('--pets', '30', '--random-seed', '4'),
    ]
    const lists = await Promise.all(
      [one, two].map(async ({ url }) => (await fetch(`${url}/inventory`, { headers: AUTHORIZED })).text()),
    )
    expect(lists[0]).toBe(lists[1])
    expect(JSON.parse(lists[0] ?? '')).toHaveLength(30)
  })

  test('without --state, the state ends with the process', async () => {
    const list = async (url: string) => (await fetch(`${url}/inventory`, { headers: AUTHORIZED })).text()
    const first = await startServe()
    const seed = await list(first.url)
    const headers = { ...AUTHORIZED, 'content-type': 'application/json' }
    await fetch(`${first.url}/inventory/1`, { method: 'PATCH', headers, body: '{"quantity":500}' })
    expect(await list(first.url)).not.toBe(seed)
    await first.stop()
    expect(await list((await startServe()).url)).toBe(seed)
  })

  test('--any-key, --no-control and --sunset', async () => {
    const { url } = await startServe('--any-key', '--no-control', '--sunset', '2027-03-01')
    expect((await fetch(`${url}/inventory`, { headers: { authorization: 'Bearer whatever' } })).status).toBe(200)
    expect((await fetch(new URL('/_mock/health', url))).status).toBe(404)
    const pet = await fetch(`${url}/pets/1`, { headers: AUTHORIZED })
    expect([pet.status, pet.headers.get('sunset')]).toEqual([501, 'Mon, 01 Mar 2027 00:00:00 GMT'])
  })

  test('--handlers puts a module of handlers first', async () => {
    const msw = JSON.stringify(import.meta.resolve('msw'))
    const file = await write(
      'handlers.mjs',
      `import { http, HttpResponse } from ${msw}\nexport default [http.get('*/pets/:petId', ({ params }) => HttpResponse.json({ id: params.petId }))]`,
    )
    const { url } = await startServe('--handlers', file)
    expect(await (await fetch(`${url}/pets/7`, { headers: AUTHORIZED })).json()).toEqual({ id: '7' })
  })

  test.each(['default', 'const handlers ='])(
    '--handlers takes a function that is given the mock (export %s)',
    async (name) => {
      const msw = JSON.stringify(import.meta.resolve('msw'))
      const file = await write(
        `function-${name.length}.mjs`,
        `import { http, HttpResponse } from ${msw}
       export ${name} (mock) => [
         http.get('*/pets/:petId', ({ params }) => HttpResponse.json(mock.inventory.get(params.petId))),
       ]`,
      )
      const { url } = await startServe('--handlers', file)
      expect(await (await fetch(`${url}/pets/2`, { headers: AUTHORIZED })).json()).toMatchObject({ petId: 2 })
      // A handler answers behind the key check of its operation.
      expect((await fetch(`${url}/pets/2`)).status).toBe(401)
    },
  )

  test.each([
    ['throws.mjs', `export default () => { throw new Error('no good\\nat all') }`, 'cannot be called: no good'],
    [
      'class.mjs',
      'export default class Handlers {}',
      "cannot be called: Class constructor Handlers cannot be invoked without 'new'",
    ],
    ['throws-null.mjs', 'throw null', 'cannot be loaded: null (null)'],
    ['throws-object.mjs', 'throw {}', 'cannot be loaded: {} (object)'],
    ['throws-empty.mjs', 'throw new TypeError()', 'cannot be loaded: TypeError'],
  ])('--handlers refuses %s in one sentence', async (name, content, reason) => {
    const { code, err } = await runCli('--port', '0', '--handlers', await write(name, content))
    expect([code, err.split('\n')]).toEqual([2, [expect.stringMatching(/^petstore-mock: --handlers: /)]])
    expect(err.endsWith(reason)).toBe(true)
  })

  test('--handlers refuses a function that returns no handlers', async () => {
    const file = await write('async.mjs', 'export default async () => []')
    expect(await runCli('--port', '0', '--handlers', file)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--handlers: .*async\.mjs must return an array of msw handlers/),
    })
  })

  test.each([
    ['stubs.json', '{"stubs":[{"path":"/pets/{petId}","body":{"id":9223372036854775807}}]}'],
    ['stubs.jsonc', '{"stubs":[{"path":"/pets/{petId}","body":{"id":9223372036854775807},}]} // a comment'],
    ['stubs.yaml', 'stubs:\n  - path: /pets/{petId}\n    body: { id: 9223372036854775807 }\n'],
  ])('--stubs %s responds without code, and the log says that it is not specified', async (name, content) => {
    const file = await write(name, content)
    const { url, out, stop } = await startServe('--stubs', file)
    const response = await fetch(`${url}/pets/7`, { headers: AUTHORIZED })
    expect([response.status, await response.text()]).toEqual([200, '{"id":9223372036854775807}'])
    await vi.waitFor(() => expect(out()).toMatch(/"path":"\/v1\/pets\/7","status":200.*"isStubbed":true/))
    await stop()
    const pretty = await startPretty('--stubs', file)
    const base = pretty.url
    await (await fetch(`${base}/pets/7`, { headers: AUTHORIZED })).text()
    await vi.waitFor(() => expect(pretty.out()).toMatch(/GET \/v1\/pets\/7 200 \d+\.\d ms not specified \(stub\)$/m))
  })

  test('--stubs works from a variable and a config file, with its own base path', async () => {
    const file = await write('pets.json', '{"stubs":[{"path":"/pets/7","body":7}]}')
    const config = await write('config-stubs.json', JSON.stringify({ stubs: file, baseUrl: '/api' }))
    for (const server of [
      await startServeIn({ PETSTORE_MOCK_STUBS: file }, '--base-url', '/api'),
      await startServe('--config', config),
    ]) {
      expect(await (await fetch(`${server.url}/pets/7`, { headers: AUTHORIZED })).json()).toBe(7)
    }
  })

  test.each([
    ['nowhere.json', undefined, /^petstore-mock: --stubs: .*nowhere\.json cannot be read \(ENOENT: /],
    ['a.json', '{"stubs":[\n{"path":}]}', /a\.json: is not JSON: Unexpected token '}', .*"path":}/],
    ['b.yaml', 'stubs:\n  - path: [', /b\.yaml: is not YAML: .* at line \d+, column \d+$/],
    ['c.json', '[]', /c\.json: the file must be an object, got a list\. Wrap it: \{ "stubs": \[\.\.\.\] \}$/],
    ['d.json', '{"stub":[]}', /d\.json: stub is not known\. Did you mean stubs\?/],
    [
      'e.json',
      '{"stubs":[{"path":"/x","staus":1}]}',
      /e\.json: stubs\[0\]\.staus is not known\. Did you mean status\?/,
    ],
    ['f.json', '{"stubs":[{"path":"/inventory"}]}', /f\.json: stubs\[0\]: GET \/inventory cannot have a stub, because/],
    [
      'g.json',
      '{"stubs":[{"path":"/v1/x"}]}',
      /g\.json: stubs\[0\]: GET \/v1\/x has the base path \/v1\. Leave it out: \/x\.$/,
    ],
    [
      'several.json',
      '{"stub":[],"stubs":[{"path":"/toys"},{"path":"toys","status":700},5]}',
      new RegExp(
        [
          /^petstore-mock: --stubs: .*several\.json: stub is not known\. Did you mean stubs\?.*/,
          /--stubs: .*several\.json: stubs\[1\]\.path must be a path .*/,
          /--stubs: .*several\.json: stubs\[1\]\.status must be a whole number from 200 to 599, got 700 \(number\)\./,
          /--stubs: .*several\.json: stubs\[2\] must be an object .*$/,
        ]
          .map(({ source }) => source)
          .join('\\n'),
      ),
    ],
    [
      'many.json',
      `{"stubs":[${Array.from({ length: 150 }, () => '5')}]}`,
      /stubs\[99\] must be [^\n]*\n--stubs: .*many\.json: and 50 more$/,
    ],
  ])('--stubs %s with %j is refused', async (name, content, message) => {
    const file = content === undefined ? join(folder, name) : await write(name, content)
    expect(await runCli('--port', '0', '--stubs', file)).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(message),
    })
  })

  test('--tls-cert and --tls-key serve over https', async () => {
    await using tls = await createTlsFlags()
    const { url } = await startServe(...tls.flags)
    expect(url).toMatch(/^https:/)
    const status = await new Promise((resolve, reject) => {
      const options = { headers: AUTHORIZED, ca: tls.cert }
      get(`${url}/inventory`, options, (answer) => resolve(answer.resume().statusCode)).on('error', reject)
    })
    expect(status).toBe(200)
  })

  test('--watch loads a changed fixture, and keeps the state whatever is wrong with it', async () => {
    const file = await write('watched.json', '{"inventory":[]}')
    const { url, out } = await startServe('--fixture', file, '--watch')
    const count = async () =>
      ((await (await fetch(`${url}/inventory`, { headers: AUTHORIZED })).json()) as unknown[]).length
    expect(await count()).toBe(0)
    await writeFile(file, '{"inventory":[{"petId":1,"quantity":1,"status":"sold"}]}')
    await vi.waitFor(async () => expect(await count()).toBe(1))
    await writeFile(file, '{"inventory":[{"petId":1')
    await vi.waitFor(() => expect(out()).toContain('"event":"refused"'))
    expect(out()).toContain('watched.json: is not JSON')
    for (const petId of ['{"toString":1}', `${'['.repeat(500)}${']'.repeat(500)}`]) {
      const refused = out().split('"event":"refused"').length
      await writeFile(file, `{"inventory":[{"petId":${petId},"quantity":1,"status":"sold"}]}`)
      await vi.waitFor(() => expect(out().split('"event":"refused"').length).toBeGreaterThan(refused))
    }
    expect(out()).toContain('inventory[0].petId: must be an int64')
    expect(await count()).toBe(1)
  })

  test('--watch loads changed stubs, and keeps those it has if a file is invalid', async () => {
    const file = await write('watched-stubs.json', '{"stubs":[{"path":"/toys","body":"one"}]}')
    const { url, out } = await startServe('--stubs', file, '--watch')
    const ask = async () => (await fetch(`${url}/toys`, { headers: AUTHORIZED })).text()
    expect(await ask()).toBe('"one"')
    await fetch(`${url}/inventory/1`, {
      method: 'PATCH',
      headers: { ...AUTHORIZED, 'content-type': 'application/json' },
      body: '{"quantity":77}',
    })
    await writeFile(file, '{"stubs":[{"path":"/toys","body":"two"},{"path":"/games"}]}')
    await vi.waitFor(async () => expect(await ask()).toBe('"two"'))
    expect(out()).toContain(`{"event":"reloaded","file":${JSON.stringify(file)},"stubs":2}`)
    await writeFile(file, '{"stubs":[{"path":"/inventory"}]}')
    await vi.waitFor(() => expect(out()).toMatch(/"event":"refused","message":"--stubs: .*stubs\[0\]: GET \/inventory/))
    expect(await ask()).toBe('"two"')
    await writeFile(file, '{"stubs":[]}')
    await vi.waitFor(async () => expect(await ask()).toContain('There is no route GET /v1/toys'))
    // The state is not reset.
    expect(await (await fetch(`${url}/inventory`, { headers: AUTHORIZED })).text()).toContain('"quantity":77')
  })

  test('--watch ends with the server', async () => {
    const count = (): number => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length
    await expect.poll(count).toBe(0)
    const file = await write('watched-to-the-end.json', '{"inventory":[]}')
    const stubs = await write('stubs-watched-to-the-end.json', '{"stubs":[]}')
    const { stop } = await startServe('--fixture', file, '--stubs', stubs, '--watch')
    expect(count()).toBe(2)
    await stop()
    await expect.poll(count).toBe(0)
  })

  test('--config and the environment give flags; the command line wins', async () => {
    const config = await write('config.json', JSON.stringify({ fixture: 'empty', 'api-key': ['from-config'] }))
    const env = { PETSTORE_MOCK_QUANTITY_MAX: '5', PETSTORE_MOCK_API_KEY: 'from-environment,other' }
    const { url } = await startServeIn(env, '--config', config, '--fixture', 'low-stock')
    const headers = { authorization: 'Bearer from-environment', 'content-type': 'application/json' }
    expect(await (await fetch(`${url}/inventory`, { headers })).json()).toHaveLength(10)
    expect((await fetch(`${url}/inventory/1`, { method: 'PATCH', headers, body: '{"quantity":6}' })).status).toBe(400)
  })

  test('wrong use is one line that names the flag, exit code 2, and nothing started', async () => {
    await using tls = await createTlsFlags()
    const [certFlag = '', certFile = '', keyFlag = '', keyFile = ''] = tls.flags
    const swapped = [certFlag, keyFile, keyFlag, certFile]
    const bad = await write('bad.json', '{"inventory":[{"petId":1,"quantity":1,"status":"lost"}]}')
    const text = await write('text.json', 'default')
    const missing = await write('missing.mjs', 'import "@own/not-there/sub"')
    const broken = await write('broken.mjs', 'throw new Error("no good")')
    const wrong: readonly (readonly [string[], RegExp])[] = [
      [['--port', '65536'], /--port must be/],
      [['--pets', '1.5'], /--pets must be a whole number/],
      [
        ['--fixture', 'nope'],
        /nope cannot be read \(ENOENT: .*\)\. Pass a file or the name of a shipped fixture: default,/,
      ],
      [['--fixture', folder], /cannot be read \(EISDIR: /],
      [
        ['--fixture', bad],
        /bad\.json: inventory\[0\]\.status: must be one of available, pending, sold, got "lost" \(string\)$/,
      ],
      [['--fixture', text], /text\.json: is not JSON: Unexpected token 'd', /],
      [['--api-key', 'a~b'], /API key 1 \(3 characters\) is invalid/],
      [['--quantity-min', '5', '--quantity-max', '1'], /min of 5 above its max of 1/],
      [['--tls-cert', bad, '--tls-key', bad], /--tls-cert: \S+bad\.json is not a certificate/],
      [[...swapped], /--tls-cert: \S+key\.pem is not a certificate/],
      [['--handlers', 'nope.js'], /--handlers: nope\.js cannot be read \(ENOENT: /],
      [
        ['--handlers', missing],
        /--handlers: .*missing\.mjs cannot be loaded: .*not-there.*\. Install it: npm install --save-dev @own\/not-there$/,
      ],
      [['--handlers', broken], /--handlers: .*broken\.mjs cannot be loaded: no good/],
      [['--handlers', bad], /--handlers: .*bad\.json must export an array of msw handlers, or a function/],
      [['--config', 'nope.json'], /--config: .*nope\.json cannot be read/],
      [['--host', '192.0.2.1'], /192\.0\.2\.1 is not an address of this machine/],
    ]
    for (const [flags, message] of wrong) {
      const { code, out, err } = await runCli(...flags)
      expect([flags, code, out]).toEqual([flags, 2, ''])
      expect(err).toMatch(message)
      expect(err.split('\n')).toHaveLength(1)
    }
  })

  test('a taken port is one line, exit code 2', async () => {
    await using server = await serve(createMock())
    const { code, err } = await runCli('serve', '--port', String(server.port))
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^petstore-mock: Failed to start the server: port \d+ on 127\.0\.0\.1 is taken\. [^\n]*$/),
    ])
  })
})

test('the first lines name what makes the mock other than by default', async () => {
  const stubs = await write('no-stubs.json', '{"stubs":[]}')
  const flags = ['--stubs', stubs, '--delay', '100-300', '--proxy', 'http://127.0.0.1:1/a']
  const { out, stop } = await startPretty(...flags)
  expect(out()).toContain(`  stubs    ${stubs}\n  proxy    http://127.0.0.1:1/a\n  delay    100-300 ms\n  key      `)
  expect(await stop()).toBe(0)
})
