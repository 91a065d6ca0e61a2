import { HttpResponse, http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { createMock } from '../../src/index.ts'
import { toService } from '../../src/service/mock.ts'
import { toRequest } from '../wire/raw-client.ts'
import { startServer, startTarget } from '../wire/start-server.ts'
import { collectGarbage } from './collect-garbage.ts'

const BODY = '{"sent":true}'

test('a sandbox keeps nothing of a loaded fixture after its reset', async () => {
  const mock = createMock()
  const { state } = toService(mock).sandboxes.default
  mock.load({ inventory: [] })
  const seed = new WeakRef(state.seed)
  mock.reset()
  await collectGarbage()
  expect(seed.deref()).toBeUndefined()
})

describe('the request of a handler', () => {
  test('is freed after its response, which nobody need read', async () => {
    const requests: WeakRef<Request>[] = []
    const mock = createMock()
    mock.use(
      http.get('*/v1/own', ({ request }) => {
        requests.push(new WeakRef(request))
        return HttpResponse.text('a')
      }),
    )
    for (let count = 0; count < 3; count += 1) await (await mock.fetch('/v1/own')).text()
    await mock.fetch('/v1/own')
    await vi.waitFor(async () => {
      await collectGarbage()
      // The last one may still be on the stack.
      expect(requests.filter((each) => each.deref() !== undefined).length).toBeLessThan(2)
    })
  })

  test.each([
    ['before', 'GET'],
    ['before', 'POST'],
    ['after', 'GET'],
    ['after', 'POST'],
  ])('aborts with its client, %s the response of a %s', async (when, method) => {
    const onAbort = vi.fn()
    const mock = createMock()
    mock.use(
      http.all('*/v1/own', ({ request }) => {
        request.signal.addEventListener('abort', onAbort)
        return when === 'before' ? new Promise<never>(() => {}) : new HttpResponse(new ReadableStream())
      }),
    )
    const leave = new AbortController()
    const send = (): Promise<Response> => mock.fetch(new Request('http://a/v1/own', { method, signal: leave.signal }))
    const answered = when === 'before' ? void send().catch(() => {}) : await send()
    await collectGarbage()
    leave.abort()
    expect(onAbort).toHaveBeenCalled()
    if (answered) await expect(answered.text()).rejects.toThrow('aborted')
  })
})

describe('when the client of a server leaves', () => {
  test.each([
    ['GET', undefined],
    ['POST', BODY],
  ])('its proxied %s ends', async (method, body) => {
    const [arrived, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const target = await startTarget((_, response) => {
      response.once('close', left.resolve)
      arrived.resolve()
    })
    const { client } = await startServer({ proxy: target })
    await client.send(toRequest(method, '/v1/orders', body === undefined ? {} : { body }))
    await arrived.promise
    await collectGarbage()
    client.socket.destroy()
    await left.promise
  })

  test("the signal of a handler's request aborts", async () => {
    const [arrived, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { mock, client } = await startServer()
    mock.use(
      http.post('*/v1/orders', ({ request: { signal } }) => {
        signal.addEventListener('abort', () => aborted.resolve())
        arrived.resolve()
        return new Promise<Response>((resolve) => signal.addEventListener('abort', () => resolve(new Response())))
      }),
    )
    await client.send(toRequest('POST', '/v1/orders', { body: BODY }))
    await arrived.promise
    await collectGarbage()
    client.socket.destroy()
    await aborted.promise
  })
})
