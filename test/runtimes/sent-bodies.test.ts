import nodeHttp from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import '../../src/testing/vitest.ts'
import { intercept, startServer } from '../wire/start-server.ts'
import { expectSent, OUTCOMES, type Send, sendByAxios, sendByFetch, toInit } from './sent-bodies.ts'

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
