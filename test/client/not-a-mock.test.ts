import { describe, expect, test } from 'vitest'
import { connectMock, type RemoteMock } from '../../src/client/connect-mock.ts'
import { createMock } from '../../src/index.ts'

/** One of each kind: with JSON, with no content, and of a resource that may be missing. */
const CALLS: readonly [string, (remote: RemoteMock) => Promise<unknown>][] = [
  ['GET /_mock/health', (remote) => remote.health()],
  ['DELETE /_mock/journal', (remote) => remote.journal.clear()],
  ['GET /_mock/pets/1', (remote) => remote.inventory.get(1)],
  ['DELETE /_mock/faults/1', (remote) => remote.faults.remove(1)],
]

describe.each([
  ['a page', '<!doctype html><title>Shop</title>', '"<!doctype html><title>Shop</title>"'],
  ['null', 'null', '"null"'],
  ['a text', 'ok', '"ok"'],
])('a server that answers everything with %s', (_, text, shown) => {
  test.each(CALLS)('is no mock: %s', async (route, call) => {
    const remote = connectMock('http://shop.example', { sandbox: 'a', fetch: async () => new Response(text) })
    await expect(call(remote)).rejects.toThrow(
      expect.objectContaining({
        name: 'MockError',
        code: 'CONTROL_UNREACHABLE',
        message: `Failed to reach the mock at http://shop.example: the response to ${route} does not come from a mock: 200 ${shown}. Is another server at this address?`,
      }),
    )
  })
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
