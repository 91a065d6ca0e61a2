import { HttpResponse, http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { toWireRequest } from '../../src/http/fetch-request.ts'
import type { WireRequest } from '../../src/http/wire-request.ts'
import { createMock } from '../../src/index.ts'
import type { JournalRecord } from '../../src/sandbox/journal-entry.ts'
import { toService } from '../../src/service/mock.ts'
import { AUTHORIZED, update } from '../ask.ts'

describe('the journal', () => {
  test.each([
    ['PATCH', '/v1/inventory/1', 'experimental'],
    ['GET', '/v1/pets/1', 'deprecated'],
    ['GET', '/v1/inventory', undefined],
    ['GET', '/v1/nowhere', undefined],
  ])('the entry of %s %s has the stability %s', async (method, path, stability) => {
    const mock = createMock()
    await mock.fetch(path, { method })
    expect(mock.journal.last()?.stability).toBe(stability)
  })

  test('tells what was asked and what was answered, without the key', async () => {
    const mock = createMock({ fixture: 'int64-edges' })
    await update(mock, '9223372036854775807?x=1', 5, mock.sandbox('a'))
    expect(mock.journal.entries).toEqual([])
    const [entry] = mock.sandbox('a').journal.entries
    expect(entry).toMatchObject({
      id: 1,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      duration: expect.any(Number),
      sandbox: 'a',
      operation: 'updateInventory',
      petId: 9223372036854775807n,
      request: {
        method: 'PATCH',
        path: '/v1/inventory/9223372036854775807?x=1',
        headers: { authorization: 'Bearer (hidden)', 'content-type': 'application/json' },
        body: '{"quantity":5}',
      },
      answer: { status: 200, body: '{"petId":9223372036854775807,"quantity":5,"status":"sold"}' },
    })
    expect(String(JSON.stringify(entry?.request))).not.toContain('demo-key')
  })

  test('has what was refused, and not what was asked of the control API', async () => {
    const mock = createMock()
    await mock.fetch('/v1/unknown')
    await mock.fetch('/v1/inventory')
    await mock.fetch('/_mock/health')
    expect(mock.journal.entries.map(({ operation, answer }) => [operation, answer?.status])).toEqual([
      [undefined, 404],
      ['listInventory', 401],
    ])
  })

  test('has what handlers of the user’s own were asked and answered', async () => {
    const mock = createMock()
    mock.use(http.patch('*/inventory/:petId', () => HttpResponse.json({ own: true }, { status: 202 })))
    await update(mock, 1, 5)
    await vi.waitFor(() =>
      expect(mock.journal.last()).toMatchObject({
        request: { body: '{"quantity":5}' },
        answer: { status: 202, body: '{"own":true}' },
      }),
    )
  })

  test.each([
    ['PATCH', '/v1/inventory/1', { authorization: 'Bearer wrong' }, 401],
    ['PATCH', '/v1/inventory/1', { authorization: 'Bearer demo-key', 'content-type': 'text/plain' }, 400],
    ['PUT', '/v1/inventory/1', {}, 405],
    ['POST', '/v1/nowhere', {}, 404],
  ])('has what was sent with %s %s %j when its response %i is there', async (method, path, headers, status) => {
    const mock = createMock()
    const response = await mock.fetch(path, { method, headers, body: '{"quantity":5}' })
    expect([response.status, mock.journal.last()?.request.body]).toEqual([status, '{"quantity":5}'])
  })

  test('has no body of a client that left before it had sent it, and no response', async () => {
    const mock = createMock()
    const leave = new AbortController()
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"quantity":')),
      // As that of a connection, it breaks off when the client leaves.
      pull(stream) {
        leave.abort()
        stream.error(leave.signal.reason)
      },
    })
    const init = { method: 'PATCH', body, duplex: 'half', headers: AUTHORIZED, signal: leave.signal } as RequestInit
    await expect(mock.fetch('/v1/inventory/1', init)).rejects.toThrow('aborted')
    expect(mock.inventory.get(1)?.quantity).toBe(12)
    expect(mock.journal.last()?.request).toMatchObject({ method: 'PATCH', body: '', isCut: true })
    expect(mock.journal.last()).not.toHaveProperty('answer')
  })

  test.each([
    [5, 5],
    [65_536, 65_536],
    [65_537, 65_537],
    [100_000, 65_537],
  ])('keeps of a body of %i bytes %i, without the buffer in which they came', async (sent, kept) => {
    const mock = createMock()
    mock.use(http.post('*/orders', () => new HttpResponse('', { status: 201 })))
    const request = toWireRequest(new Request('http://a.example/v1/orders', { method: 'POST' }))
    const readBody = () => new Uint8Array(new ArrayBuffer(sent + 100), 50, sent)
    const wire: WireRequest = Object.assign(request, { readBody })
    await toService(mock).answer(wire)
    const { body } = wire.recorded as JournalRecord
    expect([body?.byteLength, body?.buffer.byteLength]).toEqual([kept, kept])
    const isCut = sent > 65_536 || undefined
    expect([mock.journal.last()?.request.body.length, mock.journal.last()?.request.isCut]).toEqual([
      Math.min(sent, 65_536),
      isCut,
    ])
  })

  test('does not answer a question whose answer may lie in what was dropped', async () => {
    const mock = createMock({ journalSize: 3 })
    for (const petId of [1, 2, 3, 4, 5]) await update(mock, petId, 1)
    expect([mock.journal.entries.map(({ id }) => id), mock.journal.dropped]).toEqual([[3, 4, 5], 2])
    expect(() => mock.journal.find({ petId: 1 })).toThrow(
      expect.objectContaining({ code: 'JOURNAL_INCOMPLETE', message: expect.stringContaining('2 older exchanges') }),
    )
    expect(() => mock.journal.last({ petId: 1 })).toThrow(expect.objectContaining({ code: 'JOURNAL_INCOMPLETE' }))
    expect(mock.journal.last({ petId: 4 })?.id).toBe(4)
    expect(mock.journal.find({ after: 2 }).map(({ id }) => id)).toEqual([3, 4, 5])
    mock.journal.clear()
    expect([mock.journal.find(), mock.journal.dropped]).toEqual([[], 0])
    await update(mock, 1, 1)
    expect(mock.journal.find({ petId: 1 }).map(({ id }) => id)).toEqual([6])
  })

  test('a part of it is given over HTTP, and without bodies to those who count', async () => {
    const mock = createMock()
    for (let quantity = 1; quantity <= 5; quantity += 1) await update(mock, 1, quantity)
    const ask = async (query: string) => (await mock.fetch(`/_mock/journal?${query}`)).json()
    const idsOf = async (query: string) => (await ask(query)).entries.map(({ id }: { id: number }) => id)
    expect(await idsOf('after=2&before=4')).toEqual([3])
    expect(await idsOf('before=4&limit=2')).toEqual([2, 3])
    const [entry] = (await ask('after=2&before=4&bodies=none')).entries
    expect(entry).toMatchObject({ id: 3, request: { method: 'PATCH', body: '' }, answer: { status: 200, body: '' } })
    expect((await mock.fetch('/_mock/journal?bodies=some')).status).toBe(400)
  })

  test('and the faults answer over HTTP, ids exact', async () => {
    const mock = createMock({ fixture: 'int64-edges', journalSize: 2 })
    for (const petId of ['0', '1', '9223372036854775807']) await update(mock, petId, 1)
    const journal = await (await mock.fetch('/_mock/journal?operation=updateInventory&limit=1')).text()
    expect(journal).toMatch(
      /^\{"entries":\[\{"id":3,.*,"petId":9223372036854775807,.*\}\],"count":2,"dropped":1,"isComplete":false\}$/,
    )
    const added = await mock.fetch('/_mock/faults', {
      method: 'POST',
      body: '{"petId":9223372036854775807,"status":503}',
    })
    expect([added.status, await added.text()]).toEqual([
      201,
      '{"petId":9223372036854775807,"status":503,"id":1,"used":0}',
    ])
    expect((await update(mock, '9223372036854775807', 1)).status).toBe(503)
  })
})
