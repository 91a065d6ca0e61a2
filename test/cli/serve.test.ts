import { get } from 'node:https'
import { describe, expect, test, vi } from 'vitest'
import { toOpener } from '../../src/cli/command.ts'
import { serve } from '../../src/runtimes/server.ts'
import { createMock } from '../../src/service/create-mock.ts'
import { createTlsFlags } from '../wire/certificate.ts'
import { runCli, startPretty, startServe } from './run-cli.ts'
import { makeFiles } from './state-folder.ts'

const { write } = await makeFiles()

describe('the first lines of serve', () => {
  test('say where it answers, with which key, and a line to try', async () => {
    const { out, ask, stop, url } = await startPretty('--fixture', 'low-stock')
    expect(out()).toContain('fixture  low-stock, 10 pets\n  key      demo-key\n')
    expect(out()).toMatch(/console {2}http:\/\/127\.0\.0\.1:\d+\/_mock\/$/m)
    expect(out()).toContain(`curl -H 'authorization: Bearer demo-key' ${url}/inventory`)
    expect((await ask('/inventory')).status).toBe(200)
    expect(await stop()).toBe(0)
  })

  test('name what makes the mock other than by default, and no key', async () => {
    const stubs = await write('no-stubs.json', '{"stubs":[]}')
    const flags = ['--stubs', stubs, '--delay', '100-300', '--proxy', 'http://127.0.0.1:1/a', '-k', 'own-secret']
    const { out, url } = await startPretty('--base-url', 'http://demo.test:4301/v1', ...flags)
    expect(out()).toContain(
      `  base-url http://demo.test:4301/v1\n  stubs    ${stubs}\n  proxy    http://127.0.0.1:1/a\n  delay    100-300 ms\n  key      `,
    )
    expect(out()).toContain(`try      curl -H 'authorization: Bearer YOUR_KEY' ${url}/inventory`)
    expect(out()).not.toContain('own-secret')
  })

  test.each([
    [['--host', '0.0.0.0'], 'off: it needs --control-token because --host 0.0.0.0 is not loopback'],
    [['--no-control'], 'off: --no-control'],
  ])('say why there is no console with %j', async (flags, reason) => {
    const { out } = await startPretty(...flags)
    expect(out()).toContain(`console  ${reason}`)
  })
})

describe('a flag of serve', () => {
  test('keys, range and fixture', async () => {
    const file = await write('one.json', '{"inventory":[{"petId":9223372036854775807,"quantity":1,"status":"sold"}]}')
    const range = ['--quantity-min', '0', '--quantity-max', '9']
    const { ask } = await startServe('-f', file, '-k', 'one', '-k', 'two', ...range)
    for (const [key, status] of Object.entries({ one: 200, two: 200, 'demo-key': 401 }))
      expect((await ask('/inventory', { key })).status).toBe(status)
    const update = (quantity: number): Promise<Response> =>
      ask('/inventory/9223372036854775807', { key: 'one', method: 'PATCH', body: { quantity } })
    expect(await (await update(9)).text()).toBe('{"petId":9223372036854775807,"quantity":9,"status":"sold"}')
    expect([(await update(10)).status, (await update(-1)).status]).toEqual([400, 400])
  })

  test('--journal-size says how many requests the journal keeps', async () => {
    const { ask } = await startServe('--journal-size', '2')
    for (let count = 0; count < 3; count += 1) await ask('/inventory')
    expect(await (await ask('/_mock/journal')).json()).toMatchObject({ dropped: 1, entries: [{ id: 2 }, { id: 3 }] })
  })

  test('the log has what changes the mock, and what fails, but not what an open console reads', async () => {
    const { ask, out } = await startServe()
    for (const path of ['/_mock/health', '/_mock/journal', '/_mock/pets/999']) await ask(path)
    await ask('/_mock/reset', { method: 'POST' })
    await vi.waitFor(() => expect(out()).toContain('/_mock/reset'))
    expect(out()).toContain('/_mock/pets/999')
    expect(out()).not.toMatch(/"event":"request".*\/_mock\/(?:health|journal)/)
  })

  test.each(['1e3', '007', '9007199254740993', 'true'])('a key of %s stays that text', async (key) => {
    const { ask } = await startServe('--api-key', key)
    expect((await ask('/inventory', { key })).status).toBe(200)
    expect((await ask('/inventory', { key: String(Number(key)) })).status).toBe(401)
  })

  test('--proxy sends on what the specification does not show, with --proxy-keys also keys, and the log says so', async () => {
    const target = createMock({ fixture: 'sold-out' })
    await using server = await serve(target)
    const { url, out } = await startServe('--base-url', '/api', '--proxy', server.url, '--proxy-keys')
    const headers = { authorization: 'Bearer demo-key' }
    const response = await fetch(new URL('/v1/inventory', url), { headers })
    expect(await response.json()).toEqual(target.inventory.list())
    await vi.waitFor(() => expect(out()).toMatch(/"path":"\/v1\/inventory","status":200.*"by":"proxy"/))
  })

  test('--open opens the console in the browser', async () => {
    const { url, opened } = await startServe('--open')
    expect(opened).toEqual([new URL('/_mock/', url).href])
  })

  test.each([
    ['darwin', 'open', ['http://127.0.0.1:4100/_mock/']],
    ['win32', 'cmd', ['/c', 'start', '""', 'http://127.0.0.1:4100/_mock/']],
    ['linux', 'xdg-open', ['http://127.0.0.1:4100/_mock/']],
  ])('--open: on %s the browser is opened by %s', (platform, command, args) => {
    expect(toOpener(platform, 'http://127.0.0.1:4100/_mock/')).toEqual({ command, args })
  })

  test('--any-key, --no-control and --sunset', async () => {
    const { ask } = await startServe('--any-key', '--no-control', '--sunset', '2027-03-01')
    expect((await ask('/inventory', { key: 'whatever' })).status).toBe(200)
    expect((await ask('/_mock/health')).status).toBe(404)
    const pet = await ask('/pets/1')
    expect([pet.status, pet.headers.get('sunset')]).toEqual([501, 'Mon, 01 Mar 2027 00:00:00 GMT'])
  })

  test('--handlers, --stubs and --profile are taken from their files, with the base path of the mock', async () => {
    const msw = JSON.stringify(import.meta.resolve('msw'))
    const handlers = await write(
      'handlers.mjs',
      `import { http, HttpResponse } from ${msw}\nexport default [http.get('*/pets/:petId', ({ params }) => HttpResponse.json(params.petId))]`,
    )
    const stubs = await write('stubs.json', '{"stubs":[{"path":"/toys","body":7}]}')
    const profile = await write('profile.json', '{"malformedPetId":404,"codes":{"401":"NO_KEY"}}')
    const flags = ['--handlers', handlers, '--stubs', stubs, '--profile', profile, '--base-url', '/api']
    const { ask } = await startServe(...flags)
    expect(await (await ask('/pets/7')).json()).toBe('7')
    expect(await (await ask('/toys')).json()).toBe(7)
    expect((await ask('/inventory/abc', { method: 'PATCH', body: { quantity: 1 } })).status).toBe(404)
    expect(await (await ask('/inventory', { key: 'other' })).json()).toMatchObject({ code: 'NO_KEY' })
  })

  test('--tls-cert and --tls-key serve over https', async () => {
    await using tls = await createTlsFlags()
    const { url } = await startServe(...tls.flags)
    expect(url).toMatch(/^https:/)
    const status = await new Promise((resolve, reject) => {
      const options = { headers: { authorization: 'Bearer demo-key' }, ca: tls.cert }
      get(`${url}/inventory`, options, (answer) => resolve(answer.resume().statusCode)).on('error', reject)
    })
    expect(status).toBe(200)
  })
})

describe('a start that fails is one line, exit code 2, and nothing started:', () => {
  test('an invalid certificate is named by its flag and file', async () => {
    await using tls = await createTlsFlags()
    const [certFlag = '', , keyFlag = '', key = ''] = tls.flags
    const { code, err } = await runCli('--port', '0', certFlag, key, keyFlag, key)
    expect([code, err]).toEqual([2, expect.stringContaining('(--tls-cert, --tls-key) must be')])
  })

  test('a taken port, and a host that is not of this machine', async () => {
    await using server = await serve(createMock())
    expect(await runCli('--port', String(server.port))).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^petstore-mock: Failed to start the server: port \d+ on 127\.0\.0\.1 is taken\. .*$/),
    })
    const { code, err } = await runCli('--host', '192.0.2.1')
    expect([code, err]).toEqual([2, expect.stringContaining('192.0.2.1 is not an address of this machine')])
    const withPort = await runCli('--host', 'localhost:4100')
    expect(withPort).toMatchObject({ code: 2, err: expect.stringContaining('without a port, got "localhost:4100"') })
  })

  test.each([
    [['--fixture', 'bad.json'], /^petstore-mock: \S+bad\.json: inventory\[0\]\.status: must be one of [^\n]*$/],
    [['--stubs', 'bad.json'], /^petstore-mock: --stubs: \S+bad\.json: inventory is not known\.[^\n]*/],
    [['--profile', 'bad.json'], /^petstore-mock: --profile: \S+bad\.json: inventory is not known\.[^\n]*$/],
    [['--handlers', 'bad.json'], /^petstore-mock: --handlers: \S+bad\.json: [^\n]*$/],
    [['--api-key', 'a~b'], /^petstore-mock: [^\n]*API key 1 \(3 characters\) is invalid[^\n]*$/],
  ])('%j', async (flags, message) => {
    const bad = await write('bad.json', '{"inventory":[{"petId":1,"quantity":1,"status":"lost"}]}')
    const { code, out, err } = await runCli('--port', '0', ...flags.map((flag) => (flag === 'bad.json' ? bad : flag)))
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(message)])
  })
})
