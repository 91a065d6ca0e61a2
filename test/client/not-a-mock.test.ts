import { describe, expect, test } from 'vitest'
import { connectMock, type RemoteMock } from '../../src/client/connect-mock.ts'
import { createMock } from '../../src/index.ts'

const CALLS: readonly [string, (remote: RemoteMock) => Promise<unknown>][] = [
  ['GET /_mock/health', (remote) => remote.health()],
  ['GET /_mock/state', (remote) => remote.snapshot()],
  ['GET /_mock/state', (remote) => remote.inventory.list()],
  ['PUT /_mock/state', (remote) => remote.restore({ inventory: [] })],
  ['POST /_mock/state/save', (remote) => remote.save()],
  ['POST /_mock/reset', (remote) => remote.reset()],
  ['POST /_mock/load', (remote) => remote.load('empty')],
  ['GET /_mock/pets', (remote) => remote.inventory.findMany()],
  ['GET /_mock/pets', (remote) => remote.inventory.count()],
  ['GET /_mock/pets/1', (remote) => remote.inventory.get(1)],
  ['DELETE /_mock/pets/1', (remote) => remote.inventory.remove(1)],
  ['GET /_mock/journal', (remote) => remote.journal.find()],
  ['GET /_mock/journal', (remote) => remote.journal.dropped()],
  ['DELETE /_mock/journal', (remote) => remote.journal.clear()],
  ['GET /_mock/faults', (remote) => remote.faults.list()],
  ['POST /_mock/faults', (remote) => remote.faults.add({ status: 503 })],
  ['DELETE /_mock/faults', (remote) => remote.faults.clear()],
  ['DELETE /_mock/faults/1', (remote) => remote.faults.remove(1)],
  ['PUT /_mock/delay', (remote) => remote.setDelay(1)],
  ['GET /_mock/clock', (remote) => remote.clock.get()],
  ['POST /_mock/clock', (remote) => remote.clock.useVirtual()],
  ['POST /_mock/keys', (remote) => remote.apiKeys.add('other-key')],
  ['DELETE /_mock/sandboxes/a', (remote) => remote.remove()],
]

describe.each([
  ['a page', '<!doctype html><title>Shop</title>', '"<!doctype html><title>Shop</title>"'],
  ['an empty object', '{}', '"{}"'],
  ['null', 'null', '"null"'],
  ['a list', '[{}]', '"[{}]"'],
  ['a text', 'ok', '"ok"'],
])('a server that answers everything with %s', (_, text, shown) => {
  test.each(CALLS)('is no mock: %s', async (route, call) => {
    const remote = connectMock('http://shop.example', { sandbox: 'a', fetch: async () => new Response(text) })
    // A list is what this one returns.
    if (route === 'GET /_mock/faults' && text === '[{}]') return
    await expect(call(remote)).rejects.toThrow(
      expect.objectContaining({
        name: 'MockError',
        code: 'CONTROL_UNREACHABLE',
        message: `Failed to reach the mock at http://shop.example: the response to ${route} does not come from a mock: 200 ${shown}. Is another server at this address?`,
      }),
    )
  })
})

test('a server that answers without content is no mock', async () => {
  const remote = connectMock('http://shop.example', { fetch: async () => new Response(null, { status: 204 }) })
  await expect(remote.journal.find()).rejects.toThrow(/GET \/_mock\/journal does not come from a mock: 204 ""\./)
})

test('the key is checked by the mock that answers later', async () => {
  const mock = createMock({ apiKeys: ['shop-key'] })
  let isUp = false
  const remote = connectMock('http://shop.example', {
    fetch: async (url, init) => (isUp ? mock.fetch(url, init) : new Response('starting')),
  })
  await expect(remote.health()).rejects.toThrow('does not come from a mock')
  isUp = true
  await expect(remote.health()).rejects.toThrow('The mock does not know this API key')
})

test('a credential in such a response is not repeated', async () => {
  const remote = connectMock('http://shop.example', { fetch: async () => new Response('see /?token=tell-nobody') })
  await expect(remote.health()).rejects.toThrow('200 "see /?token=(hidden)"')
})
