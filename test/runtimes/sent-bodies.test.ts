import nodeHttp from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { createMock } from '../../src/index.ts'
import '../../src/testing/vitest.ts'
import { intercept, startServer } from '../wire/start-server.ts'
import { expectSent, LEFT_UNREAD, OUTCOMES, type Send, sendByAxios, sendByFetch, toInit } from './sent-bodies.ts'

const CLIENTS: Readonly<Record<string, Send>> = {
  fetch: sendByFetch,
  axios: sendByAxios,
  'node:http': sendByNodeHttp,
}

describe.each(Object.entries(OUTCOMES))('what was sent is in the journal with the outcome %s', (_, outcome) => {
  test.each(Object.entries(CLIENTS))('of %s, intercepted', async (_, send) => {
    const origin = 'http://api.petstore.example'
    const { mock } = intercept({ ...outcome.options, baseUrl: `${origin}/v1` })
    await expectSent(send, { mock, origin, outcome })
  })
})

describe.concurrent.each(Object.entries(OUTCOMES))(
  'what was sent is in the journal with the outcome %s',
  (_, outcome) => {
    test('of mock.fetch', async () => {
      const mock = createMock(outcome.options)
      await expectSent(async (_, { path, ...request }) => (await mock.fetch(path, toInit(request))).text(), {
        mock,
        outcome,
      })
    })

    test.for(Object.entries(CLIENTS))('of %s and a server', async ([, send], { onTestFinished }) => {
      const { mock, server } = await startServer(outcome.options, {}, onTestFinished)
      await expectSent(send, { mock, origin: server.url, outcome })
    })
  },
)

describe('a client that has the response before it has sent its body', () => {
  test.each([
    ['of a fault', { options: {}, status: 503 }],
    ['of a handler', { options: { handlers: [LEFT_UNREAD] }, status: 200 }],
  ])('is recorded without it, and the matcher says so: the response %s', async (_, { options, status }) => {
    const { mock, client } = await startServer(options)
    if (status === 503) mock.faults.add({ status })
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

/** Writes the body before it ends the request, which so has no Content-Length. */
function sendByNodeHttp(
  origin: string,
  { path, method, headers, body, patience }: Parameters<Send>[1],
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = nodeHttp.request(origin + path, { method, headers }, (response) => {
      text(response).then(resolve, reject)
    })
    request.on('error', reject).write(body)
    request.end()
    if (patience !== undefined) setTimeout(() => request.destroy(new Error('no response')), patience)
  })
}
