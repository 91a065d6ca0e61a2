import { describe, expect, onTestFinished, test } from 'vitest'
import { connectMock } from '../../src/client/connect-mock.ts'
import { createMock, type MockOptions } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'

const KEY_HEADER = 'x-mock-api-key'

/** A mock in a server, as a function that connects to it. */
async function start(options: MockOptions) {
  const mock = createMock(options)
  const server = await serve(mock)
  onTestFinished(() => server.close())
  const sent: (string | null)[] = []
  const send = (url: URL, init: RequestInit): Promise<Response> => {
    sent.push(new Headers(init.headers).get(KEY_HEADER))
    return fetch(url, init)
  }
  const connect = (apiKey: string, sandbox = 'default') => connectMock(server.url, { apiKey, sandbox, fetch: send })
  return { mock, server, connect, sent }
}

describe('connectMock', () => {
  test('without the key of the mock fails at the first call', async () => {
    const { server, mock } = await start({ apiKeys: ['shop-key'] })
    const remote = connectMock(server.url, { sandbox: 'a' })
    for (const call of [() => remote.health(), () => remote.reset(), () => remote.inventory.get(1)]) {
      const error = await call().catch((reason: unknown) => reason)
      expect(error).toMatchObject({
        code: 'CONTROL_REFUSED',
        message: expect.stringMatching(
          /the mock answered 401: The mock does not know this API key\. Pass one of its keys as apiKey$/,
        ),
      })
      expect(String(error)).not.toMatch(/demo-key|shop-key/)
    }
    expect(Array.from((await mock.fetch('/_mock/sandboxes').then((response) => response.json())) as [])).toHaveLength(1)
  })

  test.each([
    ['shop-key', { apiKeys: ['shop-key', 'second-key'] }],
    ['second-key', { apiKeys: ['shop-key', 'second-key'] }],
    ['anything', { anyKey: true }],
  ])('with the key %s sends it once', async (apiKey, options) => {
    const { connect, sent } = await start(options)
    const remote = connect(apiKey, 'a')
    await remote.health()
    await remote.reset()
    expect(sent).toEqual([`${apiKey}~a`, null])
  })

  test('does not take a refusal for another reason as a sign that the key is known', async () => {
    const { connect } = await start({})
    const remote = connect('wrong-key')
    await expect(remote.load('nope')).rejects.toThrow('does not know this API key')
    await expect(remote.load('nope')).rejects.toThrow('does not know this API key')
  })
})

test('a control request without a key needs none', async () => {
  const { server } = await start({ apiKeys: ['shop-key'] })
  expect((await fetch(`${server.url}/_mock/reset`, { method: 'POST' })).status).toBe(200)
  expect((await fetch(`${server.url}/_mock/health`, { headers: { authorization: 'Bearer no' } })).status).toBe(200)
})
