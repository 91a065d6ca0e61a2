import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { connectGlobalFetch } from './clients.ts'

const UPDATES = 2

test('200 clients at once on one server, each with a key of its own, have the pets to themselves', {
  timeout: 60_000,
}, async () => {
  await using server = await serve(createMock())
  const { send } = connectGlobalFetch(server.url)
  const useAll = async (index: number): Promise<void> => {
    const headers = { authorization: `Bearer demo-key~test-${index}`, 'content-type': 'application/json' }
    const list = async () => JSON.parse((await send({ method: 'GET', path: '/v1/inventory', headers })).body)
    const update = (petId: number, quantity: number) =>
      send({ method: 'PATCH', path: `/v1/inventory/${petId}`, headers, body: JSON.stringify({ quantity }) })
    const before = await list()
    expect(before).toHaveLength(10)
    for (let count = 1; count <= UPDATES; count += 1) {
      await update(1, index * UPDATES + count)
      expect((await update(2, index - 1000)).status).toBe(200)
    }
    const [first, second, ...rest] = await list()
    expect([first.quantity, second.quantity]).toEqual([(index + 1) * UPDATES, index - 1000])
    expect(rest).toEqual(before.slice(2))
  }
  await Promise.all(Array.from({ length: 200 }, (_, index) => useAll(index)))
})
