import http from 'node:http'
import { text } from 'node:stream/consumers'
import { jest } from '@jest/globals'
import { createMock } from 'petstore-mock'
import { interceptRequests } from 'petstore-mock/node'
import { serve } from 'petstore-mock/server'

const URL = 'https://api.petstore.example/v1/inventory'
const headers = { authorization: 'Bearer demo-key' }

describe('interceptRequests', () => {
  const mock = createMock()
  const interception = interceptRequests(mock)
  afterEach(() => mock.reset())
  afterAll(() => interception.stop())

  test('answers node:http', async () => {
    const answer = await new Promise((resolve) => http.get(URL.replace('https', 'http'), { headers }, resolve))
    expect(JSON.parse(await text(answer))).toHaveLength(10)
  })

  describe('with fake timers', () => {
    const get = () =>
      new Promise((resolve) => http.get(URL.replace('https', 'http'), { agent: false, headers }, resolve))
    afterEach(() => jest.useRealTimers())

    test('says why a request of node:http waits', async () => {
      const log = jest.spyOn(console, 'error').mockImplementation(() => {})
      jest.useFakeTimers()
      const answered = get()
      expect(log.mock.calls).toEqual([[expect.stringContaining("jest.useFakeTimers({ doNotFake: ['nextTick'] })")]])
      log.mockRestore()
      await jest.runAllTicks()
      void answered
    })

    test('answers node:http where nextTick is real', async () => {
      jest.useFakeTimers({ doNotFake: ['nextTick'] })
      expect(JSON.parse(await text(await get()))).toHaveLength(10)
    })
  })

  test('leaves nothing behind of a request that is never answered', async () => {
    mock.faults.add({ error: 'timeout' })
    await expect(fetch(URL, { headers, signal: AbortSignal.timeout(20) })).rejects.toThrow('timeout')
    fetch(URL, { headers }).catch(() => {})
  })
})

test('serve answers over TCP', async () => {
  const server = await serve(createMock())
  const answer = await fetch(`${server.url}/v1/inventory`, { headers })
  expect(await answer.json()).toHaveLength(10)
  await server.close()
})
