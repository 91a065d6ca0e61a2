import { HttpResponse, http } from 'msw'
import { describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { openRawClient, toRequest } from '../wire/raw-client.ts'

const INIT = {
  method: 'PATCH',
  headers: { authorization: 'Bearer demo-key', 'content-type': 'application/json' },
  body: '{"quantity":20}',
}

test('a request that a delay keeps waiting fails at the reset, and changes nothing after it', async () => {
  const mock = createMock({ delay: 60_000 })
  const waiting = Array.from({ length: 50 }, () => mock.fetch('/v1/inventory/1', INIT))
  await expect.poll(() => mock.clock.pending).toBe(50)
  mock.reset()
  for (const each of waiting) await expect(each).rejects.toThrow(new TypeError('Failed to fetch'))
  expect([mock.inventory.get(1)?.quantity, mock.journal.entries, mock.clock.pending]).toEqual([12, [], 0])
})

test.each([
  ['in a handler', {}],
  ['for a handler’s stream that a fault truncates', {}],
  ['for its body', { body: new ReadableStream(), duplex: 'half' }],
])('a request that waits %s fails at the reset, and is no longer in flight', async (what, init) => {
  const mock = createMock()
  const stream = what.includes('stream')
  const answer = (): Promise<Response> =>
    stream ? Promise.resolve(new HttpResponse(new ReadableStream())) : new Promise<never>(() => {})
  if (what !== 'for its body') mock.use(http.patch('*/inventory/1', answer))
  if (stream) mock.faults.add({ error: 'truncated' })
  const waiting = mock.fetch('/v1/inventory/1', { ...INIT, ...init } as RequestInit)
  await expect.poll(() => mock.journal).toMatchObject({ inFlight: 1 })
  mock.reset()
  await expect(waiting).rejects.toMatchObject({
    message: 'Failed to fetch',
    cause: { message: 'other side closed: the sandbox default was reset or removed before the response' },
  })
  expect(mock.journal).toMatchObject({ inFlight: 0, entries: [] })
})

test('a request that a listener of the reset sends meets nothing of before', async () => {
  const mock = createMock({ delay: 5 })
  mock.faults.add({ status: 503 })
  const sent: Promise<Response>[] = []
  mock.onChange(() => sent.push(mock.fetch('/v1/inventory/1', INIT)))
  mock.reset()
  expect((await sent[0])?.status).toBe(200)
  expect(mock.journal.entries).toHaveLength(1)
})

test('the reset of one sandbox leaves requests to another waiting', async () => {
  const mock = createMock({ delay: 1000 })
  mock.clock.useVirtual()
  const waiting = mock.fetch('/v1/inventory/1', {
    ...INIT,
    headers: { ...INIT.headers, authorization: `Bearer ${mock.sandbox('other').apiKey}` },
  })
  mock.reset()
  await mock.clock.advance(1000)
  expect((await waiting).status).toBe(200)
})

test('DELETE of a sandbox releases who waits, and no update of it is answered later', async () => {
  const mock = createMock()
  await using server = await serve(mock)
  const send = (name: string): Promise<unknown> =>
    fetch(`${server.url}/v1/inventory/1`, {
      ...INIT,
      headers: { ...INIT.headers, authorization: `Bearer ${mock.sandbox(name).apiKey}` },
    }).catch((error: Error) => error.message)
  mock.sandbox('delayed').setDelay(60_000)
  mock.sandbox('held').faults.add({ error: 'timeout' })
  const waiting = Promise.all([send('delayed'), send('held')])
  using client = await openRawClient(server.url)
  const headers = { authorization: 'Bearer demo-key~uploading', 'content-length': '15', expect: '100-continue' }
  await client.send(
    toRequest('PATCH', '/v1/inventory/1', { headers: { 'content-type': 'application/json', ...headers } }),
  )
  expect((await client.nextOfAny()).status).toBe(100)
  await expect.poll(() => [mock.clock.pending, mock.sandbox('held').journal.entries.length]).toEqual([1, 1])
  for (const name of ['delayed', 'held', 'uploading']) {
    const removed = await fetch(`${server.url}/_mock/sandboxes/${name}`, { method: 'DELETE' })
    expect(removed.status).toBe(204)
  }
  expect(await waiting).toEqual(['fetch failed', 'fetch failed'])
  // Its connection was broken, too.
  await client.send('{"quantity":20}').catch(() => {})
  await expect(client.next()).rejects.toThrow('The connection was')
})

describe.each(['reset', 'removal'])('at the %s of its sandbox', (end) => {
  test.each([
    ['a user’s handler', '/v1/inventory/1'],
    ['a user’s handler that responds', '/v1/inventory/2'],
    ['half a body', '/v1/inventory/3'],
  ])('a request with %s fails, and changes nothing after it', async (_, path) => {
    const entered = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const isCancelled = Promise.withResolvers<void>()
    const wait = async (): Promise<void> => {
      entered.resolve()
      await goOn.promise
    }
    const answer = new Response(new ReadableStream({ cancel: () => isCancelled.resolve() }))
    const handlers = [
      http.patch('*/v1/inventory/1', wait),
      http.patch('*/v1/inventory/2', () => wait().then(() => answer)),
    ]
    const mock = createMock({ handlers: path.endsWith('3') ? [] : handlers })
    const { apiKey } = mock.sandbox('one')
    const headers = { ...INIT.headers, authorization: `Bearer ${apiKey}` }
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        if (path.endsWith('3')) await wait()
        controller.enqueue(new TextEncoder().encode(INIT.body))
        controller.close()
      },
    })
    const init: RequestInit & { duplex: 'half' } = { method: 'PATCH', headers, body, duplex: 'half' }
    const failed = expect(mock.fetch(path, init)).rejects.toThrow(new TypeError('Failed to fetch'))
    await entered.promise
    const changes: string[] = []
    mock.onChange(({ type }) => changes.push(type))
    if (end === 'reset') mock.sandbox('one').reset()
    else await mock.fetch('/_mock/sandboxes/one', { method: 'DELETE' })
    const before = [...changes]
    goOn.resolve()
    await failed
    if (path.endsWith('2')) await isCancelled.promise
    expect(changes).toEqual(before)
    const { inventory, journal } = mock.sandbox('one')
    expect([inventory.list(), journal.entries]).toEqual([createMock().inventory.list(), []])
  })
})
