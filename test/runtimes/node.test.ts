import nodeHttp from 'node:http'
import type { LookupFunction } from 'node:net'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import { bypass, getResponse, HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import * as undici from 'undici'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import { createHandlers } from '../../src/msw/create-handlers.ts'
import { interceptRequests } from '../../src/runtimes/node.ts'
import { serve } from '../../src/runtimes/server.ts'
import { intercept } from '../wire/start-server.ts'

const AUTHORIZED = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }

describe('interceptRequests', () => {
  test.each([
    ['/v1', 'https://api.other.example/v1/users', true],
    ['/v1', 'http://localhost:3000/v1/users', false],
    ['/v1', 'https://api.petstore.example/v1/users', false],
    ['https://api.other.example/v1', 'https://api.other.example/v1/users', false],
  ])('with the baseUrl %s, the 404 for %s says how to narrow it: %s', async (baseUrl, url, expected) => {
    intercept({ baseUrl })
    const answer = await fetch(url)
    expect([answer.status, (await answer.text()).includes("createMock({ baseUrl: 'https://")]).toEqual([404, expected])
  })

  test('mocks of different addresses stand side by side, and each can stop', async () => {
    const one = intercept({ baseUrl: 'https://one.example/v1' })
    const two = intercept({ baseUrl: 'https://two.example/v1', fixture: 'empty' })
    expect([(await list('https://one.example')).length, await list('https://two.example')]).toEqual([10, []])
    one.interception.stop()
    expect(await list('https://two.example')).toEqual([])
    two.interception.stop()
  })

  test('stop gives the process its network back, and more than one does no harm', async () => {
    const originalFetch = globalThis.fetch
    await using neighbour = await serve(createMock({ fixture: 'empty' }))
    const { interception } = intercept()
    expect(await list(neighbour.url)).toHaveLength(10)
    interception.stop()
    interception.stop()
    expect(await list(neighbour.url)).toEqual([])
    expect(globalThis.fetch).toBe(originalFetch)
  })

  describe('a request that is not for the mock', () => {
    test('is announced once for each address, also that of another base path', async () => {
      const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
      await using neighbour = await serve(createMock({ baseUrl: ['/v1', '/v2'] }))
      const origins = ['api', 'other'].map((host) => `http://${host}.example:${neighbour.port}`)
      intercept({ baseUrl: `${origins[0]}/v1` })
      for (const path of ['/v2/inventory', '/v2/inventory?token=secret', '/v1x', '/assets/app.js', '/v1/inventory'])
        await sendToLoopback(origins[0] + path)
      await sendToLoopback(`${origins[1]}/v1/inventory`)
      expect(said.mock.calls.map(([sentence]) => /GET (\S+)/.exec(sentence)?.[1])).toEqual([
        `${origins[0]}/v2/inventory`,
        `${origins[0]}/v1x`,
        `${origins[1]}/v1/inventory`,
      ])
    })

    test('is not announced where it is for a server on this machine', async () => {
      await using neighbour = await serve(createMock({ baseUrl: ['/', '/v1'] }))
      const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
      intercept({ baseUrl: 'https://api.petstore.example/v1' })
      await fetch(`${neighbour.url}/inventory`, { headers: AUTHORIZED })
      expect(said.mock.calls).toEqual([])
    })

    test('is announced where it is for an operation below another base path of the page’s own server', async () => {
      await using neighbour = await serve(createMock({ baseUrl: '/' }))
      const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
      vi.stubGlobal('location', { origin: neighbour.url })
      intercept({})
      for (const path of ['/inventory', '/api/v1/inventory/7/', '/inventory', '/elsewhere'])
        await fetch(neighbour.url + path, { headers: AUTHORIZED })
      vi.unstubAllGlobals()
      expect(said.mock.calls.map(([sentence]) => /GET (\S+)/.exec(sentence)?.[1])).toEqual([
        `${neighbour.url}/inventory`,
        `${neighbour.url}/api/v1/inventory/7/`,
      ])
    })

    test('is announced with what the mock answers, and without a secret', async () => {
      await using neighbour = await serve(createMock({ baseUrl: '/' }))
      const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
      intercept({ baseUrl: 'https://api.petstore.example/v1' }, { onUnhandledRequest: 'warn' })
      await fetch(`${neighbour.url}/inventory?token=secret`, { headers: AUTHORIZED })
      expect(said.mock.calls.flat()).toEqual([
        `petstore-mock: GET ${neighbour.url}/inventory?token=(hidden) is not for the mock, which answers https://api.petstore.example/v1. It goes to the network. Check its URL and the mock's baseUrl, or set onUnhandledRequest to 'bypass' to silence this warning.`,
      ])
    })

    test.each([
      ['warn', 1],
      ['bypass', 0],
    ] as const)('goes to the network with %s', async (onUnhandledRequest, count) => {
      await using neighbour = await serve(createMock({ baseUrl: '/v2' }))
      const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
      intercept({}, { onUnhandledRequest })
      const answer = await fetch(`${neighbour.url}/v2/inventory`, { headers: AUTHORIZED })
      expect([answer.status, said.mock.calls.length]).toEqual([200, count])
    })

    test('fails with error', async () => {
      const said = vi.spyOn(console, 'error').mockImplementation(() => {})
      intercept({}, { onUnhandledRequest: 'error' })
      const url = 'http://127.0.0.1:59999/elsewhere'
      const sentence = new RegExp(`GET ${url} is not for the mock`)
      const rejected = await fetch(url).catch((error: Error) => error)
      expect(String(rejected) + String((rejected as Error).cause)).toMatch(sentence)
      await expect(new Promise((_r, reject) => nodeHttp.get(url).on('error', reject))).rejects.toThrow(sentence)
      expect(said).toHaveBeenCalledTimes(2)
    })

    test('is left to another mock that answers it', async () => {
      const said = vi.spyOn(console, 'error').mockImplementation(() => {})
      intercept({ baseUrl: 'https://a.example/v1' }, { onUnhandledRequest: 'error' })
      intercept({ baseUrl: 'https://b.example/v1', fixture: 'empty' }, { onUnhandledRequest: 'error' })
      expect(await list('https://b.example')).toEqual([])
      expect(said).not.toHaveBeenCalled()
    })
  })

  test.each<[string, (url: string) => Promise<unknown>]>([
    ['fetch', (url) => fetch(url)],
    ['undici', (url) => undici.request(url)],
    ['axios', (url) => axios.get(url)],
    ['node:http', (url) => new Promise((resolve, reject) => nodeHttp.get(url, resolve).on('error', reject))],
  ])('a fault that breaks the connection gives %s the same error as over TCP', async (_, send) => {
    const { mock } = intercept({ baseUrl: 'http://api.petstore.example/v1' })
    await using server = await serve(mock)
    const parts = ({ name, message, code, syscall }: NodeJS.ErrnoException) => ({ name, message, code, syscall })
    const fail = (origin: string): Promise<object> =>
      send(`${origin}/v1/inventory`).then(
        () => expect.fail('it succeeded'),
        (error) => ({ ...parts(error), ...(error.cause && { cause: parts(error.cause) }) }),
      )
    for (const error of ['network', 'reset'] as const) {
      mock.faults.clear()
      mock.faults.add({ error })
      expect([error, await fail('http://api.petstore.example')]).toEqual([error, await fail(server.url)])
    }
  })

  test('msw’s bypass goes past the mock, and the network sees nothing of it', async () => {
    const remote = createMock({ fixture: 'empty' })
    await using neighbour = await serve(remote)
    const { mock } = intercept()
    const request = new Request(`${neighbour.url}/v1/inventory`, {
      headers: { ...AUTHORIZED, accept: 'application/json' },
    })
    expect(await (await fetch(bypass(request))).json()).toEqual([])
    expect(remote.journal.entries.map(({ request: { headers } }) => headers['accept'])).toEqual(['application/json'])
    expect(mock.journal.entries).toEqual([])
  })

  test('the mock’s own proxy goes past the mock, and the network sees nothing of it', async () => {
    const remote = createMock({ baseUrl: ['/', '/v1'] })
    await using neighbour = await serve(remote)
    intercept({ proxy: neighbour.url })
    const answer = await fetch('https://api.petstore.example/v1/nowhere', { headers: { accept: 'text/plain' } })
    expect(answer.status).toBe(404)
    expect(remote.journal.entries.map(({ request: { headers } }) => headers['accept'])).toEqual(['text/plain'])
  })

  test('refuses a second mock that overlaps the first, until that is stopped', () => {
    const { interception } = intercept({ baseUrl: 'https://one.example/v1' })
    const refused = expect.objectContaining({
      code: 'INTERCEPT_START',
      message: expect.stringMatching(/is intercepted already\. Stop the first interception.* one defineTest\(\) /),
    })
    expect(() => intercept()).toThrow(refused)
    interception.stop()
    intercept()
  })

  test.each([
    ['Bun', 'bun test'],
    ['Deno', 'deno test'],
  ])('refuses to start in %s, where requests would reach the network', (name, tests) => {
    vi.stubGlobal(name, {})
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(() => intercept()).toThrow(
      expect.objectContaining({ code: 'INTERCEPT_START', message: expect.stringContaining(`exec -- ${tests}.`) }),
    )
  })

  test.each<[string, baseUrl: string, isNamed: boolean]>([
    ['/opening-hours', '/v1', true],
    ['https://a.example/v2/opening-hours', '/v1', true],
    ['https://b.example/v1/opening-hours', 'https://a.example/v1', true],
    ['https://a.example/v1/opening-hours/:day', 'https://a.example/v1', false],
    ['/v1/opening-hours', 'https://a.example/v1', false],
    ['/opening-hours', '/', false],
    ['*/opening-hours', '/v1', false],
  ])('a handler for %s under %s is named at the start, since no request reaches it: %s', (path, baseUrl, isNamed) => {
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
    intercept({ baseUrl, handlers: [http.get(path, () => undefined)] })
    const sentence = `No request reaches GET ${path}, because the mock answers only ${baseUrl}.`
    expect(said.mock.calls).toEqual(isNamed ? [[expect.stringContaining(sentence)]] : [])
  })

  test('an abort is what fetch makes of it, and changes nothing', async () => {
    const { mock } = intercept()
    const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    mock.use(
      http.get('*/inventory', async () => {
        entered.resolve()
        await gate.promise
        return HttpResponse.json([])
      }),
    )
    const controller = new AbortController()
    const answered = fetch('https://a.example/v1/inventory', { headers: AUTHORIZED, signal: controller.signal })
    const rejected = expect(answered).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
    await entered.promise
    controller.abort()
    await rejected
    gate.resolve()
  })

  test('a node:http client that goes away in the middle of its body changes nothing, and nothing is told', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { mock } = intercept()
    const request = nodeHttp.request('http://a.example/v1/inventory/1', { method: 'PATCH', headers: AUTHORIZED })
    request.on('error', () => {})
    await new Promise((resolve) => request.write('{"quantity":', resolve))
    request.destroy()
    await expect.poll(() => mock.journal.entries).toHaveLength(1)
    expect(mock.inventory.get(1)?.quantity).toBe(12)
    expect(told).not.toHaveBeenCalled()
  })

  test('beside a set-up of msw’s own it says what to do instead, and starts when that has stopped', async () => {
    const server = setupServer()
    server.listen({ onUnhandledFrame: 'bypass' })
    expect(() => interceptRequests(createMock())).toThrow(
      expect.objectContaining({
        name: 'MockError',
        code: 'INTERCEPT_START',
        message: expect.stringContaining('createHandlers(mock)'),
      }),
    )
    server.close()
    intercept()
    expect(await list('https://api.petstore.example')).toHaveLength(10)
  })
})

describe('createHandlers(mock)', () => {
  test('answers in an msw set-up of the user’s own', async () => {
    const mock = createMock()
    const server = setupServer(
      http.get('https://other.example/', () => HttpResponse.text('other')),
      ...createHandlers(mock),
    )
    server.listen({ onUnhandledFrame: 'bypass' })
    onTestFinished(() => server.close())
    expect(await list('https://api.petstore.example')).toHaveLength(10)
    expect(await (await fetch('https://other.example/')).text()).toBe('other')
  })

  test('listHandlers() shows each operation by its method and path', () => {
    const shown = (mock: Mock): string[] =>
      setupServer(...createHandlers(mock))
        .listHandlers()
        .flatMap((handler) => ('info' in handler ? [(handler as { info: { header: string } }).info.header] : []))
    expect(shown(createMock())).toEqual([
      expect.stringContaining('custom predicate'),
      'GET */v1/inventory',
      'PATCH */v1/inventory/:petId',
      'GET */v1/pets/:petId',
      'GET */v1/store/orders',
      expect.stringContaining('custom predicate'),
    ])
    expect(shown(createMock({ baseUrl: 'https://api.petstore.example/v1' }))).toContain(
      'GET https://api.petstore.example/v1/inventory',
    )
  })

  test.each([
    ['GET', '/v1/inventory', 200],
    ['HEAD', '/v1/inventory', 200],
    ['PUT', '/v1/inventory', 405],
    ['GET', '/v1/inventory/%zz', 405],
    ['PATCH', '/v1/inventory/%zz', 400],
    ['PATCH', '/v1/inventory/a%2Fb', 400],
    ['PATCH', '/v1/inventory/', 404],
    ['GET', '/v1/nowhere', 404],
    ['GET', '/_mock/health', 200],
    ['GET', '/v2/inventory', undefined],
    ['GET', '/shop/v1/inventory', undefined],
  ] as const)('%s %s is %s', async (method, path, status) => {
    const request = new Request(`https://api.petstore.example${path}`, { method, headers: AUTHORIZED })
    const response = await getResponse(createHandlers(createMock()), request)
    expect(response?.status).toBe(status)
  })
})

async function list(origin: string): Promise<unknown[]> {
  return (await (await fetch(`${origin}/v1/inventory`, { headers: AUTHORIZED })).json()) as unknown[]
}

/** Sends a request to this machine under the name of another one. */
async function sendToLoopback(url: string): Promise<void> {
  const lookup: LookupFunction = (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }])
  const answer = await new Promise<nodeHttp.IncomingMessage>((resolve, reject) => {
    nodeHttp.get(url, { lookup, headers: AUTHORIZED }, resolve).on('error', reject)
  })
  await text(answer)
}
