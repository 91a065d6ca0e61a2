import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { createMock } from '../../src/index.ts'
import { MOST_CONNECTIONS } from '../../src/runtimes/server/connections.ts'
import { serve } from '../../src/runtimes/server.ts'
import { openRawClient } from '../wire/raw-client.ts'

test('a server has 2,048 connections at most: one more is closed, and those that are there go on', async () => {
  await using server = await serve(createMock())
  using first = await openRawClient(server.url)
  const others: Socket[] = []
  while (others.length < MOST_CONNECTIONS - 1) {
    const batch = Array.from({ length: Math.min(128, MOST_CONNECTIONS - 1 - others.length) }, () =>
      connect(server.port, '127.0.0.1'),
    )
    await Promise.all(batch.map((socket) => once(socket, 'connect')))
    others.push(...batch)
  }
  using late = await openRawClient(server.url)
  await late.ended
  expect((await first.ask('GET', '/v1/inventory')).status).toBe(200)
  others.pop()?.destroy()
  await vi.waitFor(async () => expect((await fetch(`${server.url}/_mock/health`)).status).toBe(200))
  for (const socket of others) socket.destroy()
})
