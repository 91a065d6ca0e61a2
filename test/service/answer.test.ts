import { HttpResponse, http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { toWireRequest } from '../../src/http/fetch-request.ts'
import type { WireRequest } from '../../src/http/wire-request.ts'
import type { WireResponse } from '../../src/http/wire-response.ts'
import { createMock, type MockOptions } from '../../src/index.ts'
import { toService } from '../../src/service/mock.ts'

const SUNSET = 'Wed, 01 Dec 2027 00:00:00 GMT'
const AUTHORIZED = { authorization: 'Bearer demo-key' }

function createSunsetting(options: MockOptions = {}) {
  return createMock({ sunset: new Date(SUNSET), prefer: true, ...options })
}

describe('the key check of an operation', () => {
  test('comes before a handler of the user’s own', async () => {
    const asked: string[] = []
    const mock = createMock()
    mock.use(http.get('*/v1/pets/:petId', ({ request }) => void asked.push(request.url)))
    expect((await mock.fetch('/v1/pets/7')).status).toBe(401)
    expect(asked).toEqual([])
    expect((await mock.fetch('/v1/pets/7', { headers: AUTHORIZED })).status).toBe(501)
    expect(asked).toHaveLength(1)
  })

  test('is not asked of a path that is no operation, where a handler of the user’s own answers', async () => {
    const mock = createMock()
    mock.use(http.get('*/v1/own', () => HttpResponse.json('mine')))
    expect((await mock.fetch('/v1/own')).status).toBe(200)
  })
})

describe('Sunset on a deprecated operation', () => {
  test('is on its own response, a 401, that of a handler and a fault', async () => {
    const mock = createSunsetting()
    const ask = async (headers: HeadersInit = AUTHORIZED) => {
      const response = await mock.fetch('/v1/pets/7', { headers })
      return [response.status, response.headers.get('sunset')]
    }
    expect([await ask(), await ask({})]).toEqual([
      [501, SUNSET],
      [401, SUNSET],
    ])
    mock.use(http.get('*/v1/pets/:petId', () => HttpResponse.json({ name: 'Rex' })))
    expect(await ask()).toEqual([200, SUNSET])
    mock.faults.add({ operation: 'getPet', status: 503 })
    expect(await ask()).toEqual([503, SUNSET])
  })

  test('is on no other operation, and nowhere without a date', async () => {
    const stable = await createSunsetting().fetch('/v1/inventory', { headers: AUTHORIZED })
    const undated = await createMock().fetch('/v1/pets/7', { headers: AUTHORIZED })
    expect([stable.headers.get('sunset'), undated.headers.get('sunset')]).toEqual([null, null])
  })
})

describe('mock.answer', () => {
  test('gives an outcome at once where nothing has to be waited for', () => {
    const { answer } = toService(createMock())
    const refused = toWireRequest(new Request('http://a.example/v1/inventory'))
    expect([answer(ask('/v1/inventory')), answer(refused)]).toMatchObject([
      { type: 'response', status: 200 },
      { type: 'response', status: 401 },
    ])
  })

  test.each(['network', 'reset', 'truncated', 'timeout'] as const)('gives a connection fault for %s', async (error) => {
    const mock = createMock()
    mock.faults.add({ error })
    expect(await toService(mock).answer(ask('/v1/inventory'))).toMatchObject({
      type: 'connection-fault',
      kind: error,
      ...(error === 'truncated' && { response: { type: 'response', status: 200 } }),
    })
  })

  test('truncates what a handler of the user’s own answers, unless that is a broken connection itself', async () => {
    const mock = createMock()
    mock.faults.add({ error: 'truncated' })
    mock.use(http.get('*/inventory', () => HttpResponse.json('mine'), { once: true }))
    mock.use(http.get('*/inventory', () => HttpResponse.error(), { once: true }))
    expect(await toService(mock).answer(ask('/v1/inventory'))).toEqual({ type: 'connection-fault', kind: 'reset' })
    expect(await toService(mock).answer(ask('/v1/inventory'))).toMatchObject({
      kind: 'truncated',
      response: { type: 'response', status: 200, body: new TextEncoder().encode('"mine"') },
    })
  })

  test('does not ask handlers of the user’s own about a request that fetch cannot make', async () => {
    const mock = createMock({ handlers: [http.all('*', () => HttpResponse.json('mine'))] })
    const request = Object.assign(ask('/v1/nowhere'), { toRequest: () => undefined } as Partial<WireRequest>)
    expect(await toService(mock).answer(request)).toMatchObject({ type: 'response', status: 404 })
  })

  test('logs an unforeseen error once, and leaks nothing of it', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const mock = createMock()
    const bug = new Error('secret')
    const list = vi.spyOn(toService(mock).sandboxes.default.state, 'toList').mockImplementation(() => {
      throw bug
    })
    const outcome = toService(mock).answer(ask('/v1/inventory')) as WireResponse
    expect(outcome.status).toBe(500)
    expect(new TextDecoder().decode(outcome.body)).toBe(
      '{"code":"internal_error","message":"The mock failed to answer. Its log shows the error","status":500}',
    )
    expect(log).toHaveBeenCalledExactlyOnceWith(bug)
    list.mockRestore()
    expect(toService(mock).answer(ask('/v1/inventory'))).toMatchObject({ status: 200 })
  })
})

test.each([
  ['code=299', 200],
  ['code=300', 300],
])('Prefer: %s is answered by %i', async (prefer, status) => {
  const mock = createMock({ prefer: true })
  expect((await mock.fetch('/v1/inventory', { headers: { ...AUTHORIZED, prefer } })).status).toBe(status)
})

test('a request that chooses its response leaves the faults to others', async () => {
  const mock = createMock({ prefer: true })
  mock.faults.add({ status: 503, times: 1 })
  const send = async (headers: HeadersInit) => (await mock.fetch('/v1/inventory', { headers })).status
  expect(await send({ ...AUTHORIZED, prefer: 'code=404' })).toBe(404)
  expect(mock.journal.last()).not.toHaveProperty('fault')
  expect(await send(AUTHORIZED)).toBe(503)
})

function ask(path: string): WireRequest {
  return toWireRequest(new Request(`http://a.example${path}`, { headers: AUTHORIZED }))
}
