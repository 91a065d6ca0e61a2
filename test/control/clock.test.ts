import { describe, expect, test } from 'vitest'
import { connectMock } from '../../src/client/connect-mock.ts'
import { createMock, type Mock } from '../../src/index.ts'

const remote = (mock: Mock, sandbox = 'default') =>
  connectMock('http://mock.example', { apiKey: mock.apiKey, sandbox, fetch: (url, init) => mock.fetch(url, init) })

const list = async (mock: Mock, key: string) =>
  (await mock.fetch('/v1/inventory', { headers: { authorization: `Bearer ${key}` } })).status

describe('POST /_mock/clock', () => {
  test('stops the time, and advances it for the delays of all sandboxes', async () => {
    const mock = createMock({ delay: 5000 })
    const { clock } = remote(mock, 'a')
    expect([await clock.isVirtual(), await clock.pending()]).toEqual([false, 0])
    await clock.useVirtual()
    const now = await clock.now()
    const response = list(mock, 'demo-key~b')
    await clock.advance(4999)
    expect([await clock.isVirtual(), await clock.now(), await clock.pending()]).toEqual([true, now + 4999, 1])
    await clock.advance(1)
    expect([await clock.now(), await clock.pending()]).toEqual([now + 5000, 0])
    expect(await response).toBe(200)
    await clock.useReal()
    expect(await clock.isVirtual()).toBe(false)
  })

  test('advances the time by 0 milliseconds, which ends the delays that are due', async () => {
    const mock = createMock()
    const response = await mock.fetch('/_mock/clock', { method: 'POST', body: '{"mode":"virtual","advance":0}' })
    expect([response.status, await response.json()]).toEqual([
      200,
      { mode: 'virtual', now: mock.clock.now(), pending: 0 },
    ])
  })

  test.each([-1, 9e15])('is not stopped by a request to advance it by %d, which is refused', async (advance) => {
    const mock = createMock()
    const body = JSON.stringify({ mode: 'virtual', advance })
    expect((await mock.fetch('/_mock/clock', { method: 'POST', body })).status).toBe(400)
    expect(mock.clock.isVirtual).toBe(false)
  })

  test.each([
    ['{"advance":1}', 'Failed to advance the clock: the time is real. First call useVirtual(), or send'],
    ['{"mode":"virtual","advance":-1}', 'advance must be milliseconds, a number from 0 to 1e15, got -1'],
    ['{"mode":"fast"}', 'mode must be one of virtual, real, got "fast" (string)'],
    ['{"advance":"5"}', 'advance must be milliseconds, a number from 0 to 1e15, got "5"'],
    ['[]', 'The body must be an object with mode, advance, got [] (array)'],
    ['{"advanse":1}', 'advanse is not known. Did you mean advance?'],
  ])('%s is a 400', async (body, message) => {
    const response = await createMock().fetch('/_mock/clock', { method: 'POST', body })
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining(message) }),
    ])
  })
})
