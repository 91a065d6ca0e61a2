import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { ServerRequest } from '../../src/runtimes/server/server-request.ts'

/** A request whose signal nothing has asked for yet. */
function createServerRequest(): { incoming: ServerRequest; socket: PassThrough; response: PassThrough } {
  const [socket, response] = [new PassThrough(), new PassThrough()]
  const parts = {
    request: { socket, headers: {} },
    response,
    server: { closing: new AbortController().signal },
  }
  return { incoming: new ServerRequest(parts as never), socket, response }
}

test('a client that has half-closed is gone, as in a pipeline behind a slow request', async () => {
  const { incoming, socket } = createServerRequest()
  socket.resume().end()
  await once(socket, 'end')
  expect(incoming.signal().aborted).toBe(true)
})

test('another one is not, until it goes', async () => {
  const { incoming, response } = createServerRequest()
  const signal = incoming.signal()
  expect([signal.aborted, incoming.signal()]).toEqual([false, signal])
  response.destroy()
  await once(response, 'close')
  expect(signal.aborted).toBe(true)
})
