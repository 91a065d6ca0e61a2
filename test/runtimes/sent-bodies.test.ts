import nodeHttp from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import '../../src/testing/vitest.ts'
import { openRawClient } from '../wire/raw-client.ts'
import { intercept } from '../wire/start-server.ts'
import {
  expectedOf,
  LEFT_UNREAD,
  OUTCOMES,
  type Send,
  sendByAxios,
  sendByFetch,
  sendUpdate,
  toInit,
} from './sent-bodies.ts'

const CLIENTS: Readonly<Record<string, Send>> = {
  fetch: sendByFetch,
  'fetch of a Request': async (origin, { path, ...request }) =>
    (await fetch(new Request(origin + path, toInit(request)))).text(),
  axios: sendByAxios,
  'node:http': sendByNodeHttp(false),
  'node:http, written': sendByNodeHttp(true),
}

const ROWS = Object.entries(OUTCOMES).map(([name, outcome]) => ({ name, outcome }))

describe('what was sent is in the journal when the response or its error is there', () => {
  test.each(ROWS)('mock.fetch, $name', async ({ outcome }) => {
    const mock = createMock(outcome.options)
    const send: Send = async (_, { path, ...request }) => (await mock.fetch(path, toInit(request))).text()
    expect(await sendUpdate(send, { mock, origin: '', outcome })).toEqual(expectedOf(outcome))
  })

  describe.each(Object.entries(CLIENTS))('%s', (_, send) => {
    test.each(ROWS)('intercepted, $name', async ({ outcome }) => {
      const origin = 'http://api.petstore.example'
      const { mock } = intercept({ ...outcome.options, baseUrl: `${origin}/v1` })
      expect(await sendUpdate(send, { mock, origin, outcome })).toEqual(expectedOf(outcome))
    })

    test.each(ROWS)('from a server, $name', async ({ outcome }) => {
      const mock = createMock(outcome.options)
      await using server = await serve(mock, { grace: 0 })
      expect(await sendUpdate(send, { mock, origin: server.url, outcome })).toEqual(expectedOf(outcome))
    })
  })
})

describe('a client that has the response before it has sent its body', () => {
  test.each([
    ['of a fault', { options: {}, status: 503 }],
    ['of a handler', { options: { handlers: [LEFT_UNREAD] }, status: 200 }],
  ])('is recorded without it, and the matcher says so: the response %s', async (_, { options, status }) => {
    const mock = createMock(options)
    if (status === 503) mock.faults.add({ status })
    await using server = await serve(mock, { grace: 0 })
    using client = await openRawClient(server.url)
    const head = 'PATCH /v1/inventory/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-key\r\n'
    await client.send(`${head}Content-Type: application/json\r\nContent-Length: 15\r\n\r\n{"quanti`)
    expect((await client.next()).status).toBe(status)
    expect(mock.journal.last()?.request).toMatchObject({ body: '', isCut: true })
    const expected = { body: { quantity: 20 } }
    expect(() => expect(mock).toHaveReceived('updateInventory', expected)).toThrow('not all in the journal')
    await client.send('ty":20}')
    await vi.waitFor(() => expect(mock).toHaveReceived('updateInventory', expected))
    expect(mock.journal.last()?.request).not.toHaveProperty('isCut')
  })
})

/** @param isWritten Whether the body is written before the request ends, and so has no Content-Length. */
function sendByNodeHttp(isWritten: boolean): Send {
  return (origin, { path, method, headers, body, patience }) =>
    new Promise((resolve, reject) => {
      const request = nodeHttp.request(origin + path, { method, headers }, (response) => {
        text(response).then(resolve, reject)
      })
      request.on('error', reject)
      if (isWritten) request.write(body)
      request.end(isWritten ? undefined : body)
      if (patience !== undefined) setTimeout(() => request.destroy(new Error('no response')), patience)
    })
}
