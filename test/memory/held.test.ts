import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { openRawClient, toRequest } from '../wire/raw-client.ts'
import { startServer } from '../wire/start-server.ts'
import { collectGarbage } from './collect-garbage.ts'

const KB = 1024
const MB = 1024 * KB

test('a body on its way does not keep the buffers that its chunks came in', async () => {
  const before = process.memoryUsage().arrayBuffers
  let left = 20_000
  let most = 0
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      if (left === 0) {
        most = process.memoryUsage().arrayBuffers
        return stream.close()
      }
      left -= 1
      stream.enqueue(new Uint8Array(new ArrayBuffer(64 * KB), 0, 1).fill(0x20))
    },
  })
  const headers = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }
  const init = { method: 'PATCH', headers, body, duplex: 'half' } as RequestInit
  expect((await createMock().fetch('/v1/inventory/1', init)).status).toBe(400)
  // Kept, they would be 1.3 GB.
  expect(most - before).toBeLessThan(500 * MB)
})

test('clients that do not read the journal cost no copy of it each', async () => {
  const { mock, server } = await startServer()
  const body = 'x'.repeat(60_000)
  for (let count = 0; count < 400; count += 1) await mock.fetch('/v1/nope', { method: 'POST', body })
  const before = await measureMemory()
  const clients = await Promise.all(Array.from({ length: 20 }, () => openRawClient(server.port)))
  for (const client of clients) {
    client.socket.pause()
    await client.send(toRequest('GET', '/_mock/journal'))
  }
  // Answered after theirs have begun.
  const { entries, isComplete } = await (await fetch(`${server.url}/_mock/journal?limit=100`)).json()
  expect([entries.length, entries[0].id, isComplete]).toEqual([100, 301, true])
  const held = (await measureMemory()) - before
  expect(held).toBeLessThan(200 * MB)
  for (const client of clients) client[Symbol.dispose]()
})

async function measureMemory(): Promise<number> {
  await collectGarbage()
  // What waits in sockets is outside of the heap.
  return process.memoryUsage.rss()
}
