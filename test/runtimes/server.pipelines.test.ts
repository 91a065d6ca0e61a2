import { HttpResponse, http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { generateFixture } from '../../src/index.ts'
import type { RequestLogEntry } from '../../src/runtimes/server.ts'
import { type RawClient, toRequest } from '../wire/raw-client.ts'
import { startServer } from '../wire/start-server.ts'

const LIST = toRequest('GET', '/v1/inventory')
const GARBAGE = 'this is no request\r\n\r\n'

describe('pipelined requests are carried out and answered in their order', () => {
  test('a delay of the first holds up the others', async () => {
    const { mock, client } = await startServer()
    mock.faults.add({ operation: 'updateInventory', delay: 100, times: 1 })
    await client.send(patch(1, 77) + LIST + patch(1, 78) + LIST)
    expect((await client.next()).status).toBe(200)
    expect(await nextQuantity(client, 1)).toBe(77)
    await client.next()
    expect(await nextQuantity(client, 1)).toBe(78)
  })

  test('a response that closes the connection is the last, and nothing behind it is carried out', async () => {
    const { mock, client } = await startServer()
    await client.send(toRequest('GET', '/v1/inventory', { headers: { connection: 'close' } }) + patch(1, 77))
    expect((await client.next()).status).toBe(200)
    expect(await client.ended).toBe('closed')
    expect([client.rest(), mock.inventory.get(1)?.quantity]).toEqual([Buffer.alloc(0), 12])
  })

  test('nothing behind a body that stays unread is carried out', async () => {
    const { mock, client } = await startServer()
    await client.send(toRequest('PATCH', '/v1/inventory/1', { body: 'x'.repeat(265_537) }) + patch(1, 77))
    const { status, headers } = await client.next()
    expect([status, headers['connection']]).toEqual([400, 'close'])
    expect(await client.ended).toBe('closed')
    expect([client.rest().length, mock.inventory.get(1)?.quantity]).toEqual([0, 12])
  })

  test('a client that closes its side behind its requests has all responses', async () => {
    const { client } = await startServer({ fixture: generateFixture({ pets: 30_000 }) })
    client.socket.end(LIST + patch(1, 77) + LIST + LIST)
    expect((await client.next()).status).toBe(200)
    expect((await client.next()).status).toBe(200)
    expect(await nextQuantity(client, 1)).toBe(77)
    expect(await nextQuantity(client, 1)).toBe(77)
    expect(await client.ended).toBe('closed')
  })

  test('2,000 requests in one write are all answered', async () => {
    const { client } = await startServer()
    const quantities = Array.from({ length: 1000 }, (_, index) => index)
    void client.send(quantities.map((quantity) => patch(1, quantity) + LIST).join(''))
    for (const quantity of quantities) {
      expect((await client.next()).status).toBe(200)
      expect(await nextQuantity(client, 1)).toBe(quantity)
    }
  })
})

describe('a fault on a request that is not the first of its pipeline', () => {
  test.each(['reset', 'network'] as const)('%s breaks the connection after the response before it', async (error) => {
    const { mock, client } = await startServer()
    mock.faults.add({ operation: 'updateInventory', error })
    await client.send(LIST + patch(1, 77) + LIST)
    expect(await nextQuantity(client, 1)).toBe(12)
    await expect(client.next()).rejects.toThrow(`The connection was ${error === 'reset' ? 'reset' : 'closed'} after ""`)
    expect(mock.journal.entries.map(({ answer }) => answer?.status)).toEqual([200, undefined])
  })

  test('truncated sends the first half, and closes, also before what is no request', async () => {
    const { mock, client } = await startServer()
    mock.faults.add({ operation: 'updateInventory', error: 'truncated', delay: 20 })
    await client.send(LIST + patch(1, 77) + LIST + GARBAGE)
    expect((await client.next()).status).toBe(200)
    await expect(client.next()).rejects.toThrow('The connection was closed after "HTTP/1.1 200 OK')
    expect([client.rest().toString().includes('400'), mock.inventory.get(1)?.quantity]).toEqual([false, 77])
  })

  test('timeout leaves the client waiting until it goes, and carries out nothing behind it', async () => {
    const { mock, server, client } = await startServer()
    mock.faults.add({ operation: 'updateInventory', error: 'timeout' })
    await client.send(LIST + patch(1, 77) + patch(2, 78))
    expect((await client.next()).status).toBe(200)
    await vi.waitFor(() => expect(mock.journal.entries).toHaveLength(2))
    const closed = server.close()
    await expect(client.next()).rejects.toThrow('after ""')
    await closed
    expect(mock.journal.entries).toHaveLength(2)
  })

  test('a network error of a handler of the user resets the connection', async () => {
    const { mock, client } = await startServer()
    mock.use(http.patch('*/inventory/1', () => HttpResponse.error()))
    await client.send(LIST + patch(1, 77))
    expect((await client.next()).status).toBe(200)
    expect(await client.ended).toBe('reset')
  })
})

describe('what is no request, behind some that are', () => {
  test('closes the connection after their responses', async () => {
    const { mock, client } = await startServer()
    await client.send(patch(1, 77) + LIST + GARBAGE + patch(1, 78))
    expect((await client.next()).status).toBe(200)
    expect(await nextQuantity(client, 1)).toBe(77)
    expect(await client.ended).toBe('closed')
    expect([client.rest(), mock.inventory.get(1)?.quantity]).toEqual([Buffer.alloc(0), 77])
  })

  test('has no response behind a Connection: close', async () => {
    const { client } = await startServer()
    await client.send(toRequest('GET', '/v1/inventory', { headers: { connection: 'close' } }) + GARBAGE)
    expect((await client.next()).status).toBe(200)
    expect([await client.ended, client.rest().length]).toEqual(['closed', 0])
  })

  test('half a body whose client closes its side is not carried out', async () => {
    const { mock, client } = await startServer()
    client.socket.end(LIST + LIST + patch(1, 77).slice(0, -1))
    expect((await client.next()).status).toBe(200)
    expect((await client.next()).status).toBe(200)
    expect(await client.ended).toBe('closed')
    expect([client.rest(), mock.inventory.get(1)?.quantity]).toEqual([Buffer.alloc(0), 12])
  })

  test('half a body of a refused request has no second response', async () => {
    const { client } = await startServer()
    const headers = { origin: 'http://a.example', 'content-length': '14' }
    expect((await client.ask('POST', '/_mock/reset', { headers, body: '{"qu' })).status).toBe(403)
    client.socket.end()
    expect([await client.ended, client.rest().length]).toEqual(['closed', 0])
  })

  test('as the body of a request that was refused before, it only closes the connection', async () => {
    const { client } = await startServer()
    const headers = { 'content-length': '99999', authorization: 'Bearer wrong' }
    expect((await client.ask('PATCH', '/v1/inventory/1', { headers })).status).toBe(401)
    await client.send('what is this\r\n').catch(() => {})
    await client.ended
    expect(client.rest()).toHaveLength(0)
  })
})

test('a queued request whose client goes away is not carried out', async () => {
  const entries: RequestLogEntry[] = []
  const { mock, client } = await startServer({}, { log: (entry) => entries.push(entry) })
  mock.faults.add({ operation: 'listInventory', delay: 60_000 })
  await client.send(LIST + patch(1, 77))
  await vi.waitFor(() => expect(mock.clock.pending).toBe(1))
  client.socket.destroy()
  await vi.waitFor(() => expect(entries[0]).toMatchObject({ method: 'GET', status: undefined }))
  expect([mock.inventory.get(1)?.quantity, mock.journal.entries.length]).toEqual([12, 1])
})

function patch(petId: number, quantity: number): string {
  return toRequest('PATCH', `/v1/inventory/${petId}`, { body: `{"quantity":${quantity}}` })
}

async function nextQuantity(client: RawClient, petId: number): Promise<number | undefined> {
  const { status, body } = await client.next()
  expect(status).toBe(200)
  return toQuantities(body).get(petId)
}

function toQuantities(body: Buffer): Map<number, number> {
  const list = JSON.parse(body.toString()) as { petId: number; quantity: number }[]
  return new Map(list.map(({ petId, quantity }) => [petId, quantity]))
}
