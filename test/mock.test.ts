import { HttpResponse, http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { createMock } from '../src/index.ts'
import { list, update } from './ask.ts'

describe('mock.fetch', () => {
  test('takes a path, a URL and a Request', async () => {
    const mock = createMock({ fixture: 'empty' })
    const headers = { authorization: 'Bearer demo-key' }
    for (const input of ['v1/inventory', './v1/inventory', '/v1/inventory', new URL('http://a.example/v1/inventory')]) {
      expect(await (await mock.fetch(input, { headers })).json()).toEqual([])
    }
    expect(await (await mock.fetch(new Request('https://b.example/v1/inventory', { headers }))).json()).toEqual([])
  })

  test('an aborted signal rejects as fetch does, and changes nothing', async () => {
    const mock = createMock()
    const signal = AbortSignal.abort()
    await expect(update(mock, 1, 99, { signal })).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
    expect(mock.inventory.get(1)?.quantity).toBe(12)
  })

  test('an abort in the middle of the body rejects, and changes nothing', async () => {
    const mock = createMock()
    const controller = new AbortController()
    const body = new ReadableStream({
      pull(stream) {
        stream.enqueue(new TextEncoder().encode('{"quantity":'))
        controller.abort()
      },
    })
    const init = { signal: controller.signal, body, duplex: 'half' } as RequestInit
    await expect(update(mock, 1, 99, init)).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
    expect(mock.inventory.get(1)?.quantity).toBe(12)
  })

  test('a body whose source breaks off rejects as fetch does, and the console says why', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    const mock = createMock()
    const broken = new Error('broken')
    const body = new ReadableStream({ pull: (stream) => stream.error(broken) })
    await expect(update(mock, 1, 99, { body, duplex: 'half' } as RequestInit)).rejects.toThrow(
      expect.objectContaining({ name: 'TypeError', message: 'Failed to fetch', cause: broken }),
    )
    expect(told.mock.calls).toEqual([['petstore-mock: Failed to read the body of a request:', broken]])
  })

  test('a body that is too large is not read to its end', async () => {
    const mock = createMock()
    let pulled = 0
    const body = new ReadableStream(
      {
        pull(stream) {
          pulled += 1
          stream.enqueue(new Uint8Array(10_000))
        },
      },
      { highWaterMark: 0 },
    )
    const answer = await update(mock, 1, 99, { body, duplex: 'half' } as RequestInit)
    expect(answer.status).toBe(400)
    expect(pulled).toBeLessThan(12)
  })

  test('an answer is the caller’s own: writing to it changes no other', async () => {
    const mock = createMock()
    const first = new Uint8Array(await (await list(mock)).arrayBuffer())
    first.fill(0)
    expect(await (await list(mock)).json()).toHaveLength(10)
  })
})

describe('a state', () => {
  test('load takes a shipped name, a file’s content and an object, and keeps the state where it refuses', () => {
    const mock = createMock()
    mock.load('sold-out')
    expect(mock.inventory.list().every(({ status }) => status === 'sold')).toBe(true)
    mock.load('{"inventory":[{"petId":9007199254740993,"quantity":1,"status":"sold"}]}')
    expect(mock.inventory.list()).toEqual([{ petId: 9007199254740993n, quantity: 1, status: 'sold' }])
    mock.load({ inventory: [{ petId: 5n, quantity: 2, status: 'pending' }] })
    expect(() => mock.load({ inventory: [{ petId: 1.5, quantity: 2, status: 'pending' }] })).toThrow(
      'fixture: inventory[0].petId',
    )
    expect(mock.inventory.list()).toEqual([{ petId: 5, quantity: 2, status: 'pending' }])
  })

  test('what is no snapshot is refused', () => {
    const message = 'Failed to restore a snapshot: the value was not made by snapshot(). Use load() for a fixture.'
    expect(() => createMock().restore({} as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_SNAPSHOT', message }),
    )
  })

  test('a reset, and a new seed, remove the faults', () => {
    const mock = createMock()
    for (const restore of [mock.reset, () => mock.reseed('empty')]) {
      mock.faults.add({ status: 503 })
      restore()
      expect(mock.faults.list()).toEqual([])
    }
  })

  test('what inventory gives is a copy', () => {
    const { inventory } = createMock()
    Object.assign(inventory.get(1) ?? {}, { quantity: 1000 })
    expect(inventory.get(1)?.quantity).toBe(12)
  })

  test('the sandbox named default is the default one', async () => {
    const mock = createMock()
    await update(mock, 1, 99, { apiKey: 'demo-key~default' })
    expect(mock.inventory.get(1)?.quantity).toBe(99)
  })
})

describe('handlers of the user’s own', () => {
  test('a function makes them for the mock, and they stay after a reset, in every sandbox', async () => {
    const mock = createMock({
      handlers: ({ inventory }) => [http.get('*/store/orders', () => HttpResponse.json({ pets: inventory.size }))],
    })
    mock.reset()
    for (const apiKey of ['demo-key', 'demo-key~a']) {
      const response = await mock.fetch('/v1/store/orders', { headers: { authorization: `Bearer ${apiKey}` } })
      expect(await response.json()).toEqual({ pets: 10 })
    }
  })

  test('a function that returns anything else is refused', () => {
    const message = 'Failed to create the mock: the result of the option handlers must be an array, got 5 (number).'
    expect(() => createMock({ handlers: () => 5 as never })).toThrow(message)
  })

  test('come first, until reset, and the latest before earlier ones', async () => {
    const mock = createMock()
    mock.use(http.get('/v1/inventory', () => HttpResponse.json(['early'])))
    mock.use(http.get('/v1/inventory', () => HttpResponse.json(['late'])))
    expect(await (await list(mock)).json()).toEqual(['late'])
    mock.reset()
    expect(await (await list(mock)).json()).toHaveLength(10)
  })

  test('given to a sandbox they act there alone', async () => {
    const mock = createMock()
    mock.sandbox('a').use(http.get('*/inventory', () => new HttpResponse(null, { status: 503 })))
    expect((await list(mock, 'demo-key~a')).status).toBe(503)
    expect((await list(mock)).status).toBe(200)
  })

  test('one that answers nothing, or passes through, leaves the request to the contract, body included', async () => {
    const mock = createMock()
    const seen: unknown[] = []
    mock.use(http.patch('*/inventory/:petId', async ({ request }) => void seen.push(await request.json())))
    expect((await update(mock, 1, 31)).status).toBe(200)
    expect(seen).toEqual([{ quantity: 31 }])
    expect(mock.inventory.get(1)?.quantity).toBe(31)
  })

  test('a reset sets a handler that answers by a generator to its beginning', async () => {
    const mock = createMock()
    const steps = http.get('*/store/orders', function* () {
      yield HttpResponse.json(1)
      yield HttpResponse.json(2)
      return HttpResponse.json(3)
    })
    const orders = async (): Promise<unknown> =>
      (await mock.fetch('/v1/store/orders', { headers: { authorization: 'Bearer demo-key' } })).json()
    for (const _ of ['first', 'again']) {
      mock.use(steps)
      expect([await orders(), await orders()]).toEqual([1, 2])
      mock.reset()
    }
  })
})
