import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { type ServerExchange, toDisconnectSignal } from '../../src/runtimes/server/exchange.ts'

/** An exchange whose signal nothing has asked for yet. */
function createExchange(): { exchange: ServerExchange; socket: PassThrough; response: PassThrough } {
  const [socket, response] = [new PassThrough(), new PassThrough()]
  const exchange = { request: { socket }, response, disconnected: undefined }
  return { exchange: exchange as unknown as ServerExchange, socket, response }
}

test('a client that has gone before anything waited for it is gone', async () => {
  const { exchange, response } = createExchange()
  response.destroy()
  await once(response, 'close')
  expect(toDisconnectSignal(exchange).aborted).toBe(true)
})

test('so is one that has half-closed, as in a pipeline behind a slow request', async () => {
  const { exchange, socket } = createExchange()
  socket.resume().end()
  await once(socket, 'end')
  expect(toDisconnectSignal(exchange).aborted).toBe(true)
})

test('and another one is not, until it goes', async () => {
  const { exchange, response } = createExchange()
  const signal = toDisconnectSignal(exchange)
  expect([signal.aborted, toDisconnectSignal(exchange)]).toEqual([false, signal])
  response.destroy()
  await once(response, 'close')
  expect(signal.aborted).toBe(true)
})
