import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { ServerExchange } from '../../src/runtimes/server/exchange.ts'

/** An exchange whose signal nothing has asked for yet. */
function createExchange(): { exchange: ServerExchange; socket: PassThrough; response: PassThrough } {
  const [socket, response] = [new PassThrough(), new PassThrough()]
  const parts = {
    request: { socket, headers: {} },
    response,
    server: { closing: new AbortController().signal },
  }
  return { exchange: new ServerExchange(parts as never), socket, response }
}

test('a client that has half-closed is gone, as in a pipeline behind a slow request', async () => {
  const { exchange, socket } = createExchange()
  socket.resume().end()
  await once(socket, 'end')
  expect(exchange.signal().aborted).toBe(true)
})

test('another one is not, until it goes', async () => {
  const { exchange, response } = createExchange()
  const signal = exchange.signal()
  expect([signal.aborted, exchange.signal()]).toEqual([false, signal])
  response.destroy()
  await once(response, 'close')
  expect(signal.aborted).toBe(true)
})
