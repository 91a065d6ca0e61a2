import { HttpResponse, http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { createMock, type Fault, type Mock } from '../src/index.ts'
import { serve } from '../src/runtimes/server.ts'
import { MOST_FAULTS } from '../src/sandbox/faults.ts'
import { LARGEST_HANDLER_BODY } from '../src/service/handlers.ts'

const MB = 1024 ** 2

// Each bound of docs/security.md is filled here, those of the journals and of the loaded pets by test/sandbox/*-bounds.test.ts,
// that of large bodies by test/service/arrive.test.ts, that of connections by test/long/connections.test.ts, or by a test
// that it names.
describe('faults', () => {
  test('are 100 in a sandbox at most, and one that is used up or removed makes room', async () => {
    const mock = createMock()
    const add = () => control(mock, 'POST', '/faults', '{"status":503}')
    for (let id = 1; id <= MOST_FAULTS; id += 1) mock.faults.add({ status: 503, times: 1 })
    const refused = await add()
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('already has 100 faults, the maximum'),
    ])
    await mock.fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
    expect([(await add()).status, (await add()).status]).toEqual([201, 400])
    mock.faults.remove(2)
    expect([(await add()).status, mock.faults.list().length]).toEqual([201, MOST_FAULTS])
    mock.sandbox('a').faults.add({ status: 503 })
  })

  test.each<[string, (text: string) => Fault]>([
    ['a path', (text) => ({ status: 503, path: `/${text}` })],
    ['a header', (text) => ({ status: 503, headers: { 'x-long': text } })],
    ['a body', (text) => ({ status: 503, body: text })],
  ])('have up to 65,536 characters as JSON: with %s', (_, toFault) => {
    const { faults } = createMock()
    faults.add(toFault('a'.repeat(65_000)))
    expect(() => faults.add(toFault('a'.repeat(65_536)))).toThrow(
      expect.objectContaining({
        code: 'INVALID_FAULT',
        message: expect.stringContaining('longer than 65536 characters'),
      }),
    )
    expect(faults.list()).toHaveLength(1)
  })

  test('come with a body of one megabyte at most over HTTP', async () => {
    const body = JSON.stringify({ status: 503, body: 'x'.repeat(MB) })
    const response = await control(createMock(), 'POST', '/faults', body)
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('at most 1048576 bytes')])
  })
})

describe('handlers of the user’s own', () => {
  test('are asked with a body of 16 MB at most', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const mock = createMock()
    mock.use(http.post('*/pets', async ({ request }) => HttpResponse.json((await request.arrayBuffer()).byteLength)))
    const post = (body: BodyInit) => mock.fetch('/v1/pets', { method: 'POST', body, duplex: 'half' } as RequestInit)
    const largest = new Uint8Array(LARGEST_HANDLER_BODY)
    expect(await (await post(largest)).json()).toBe(LARGEST_HANDLER_BODY)
    const more = await post(new Blob([largest, ' ']).stream())
    expect([more.status, await more.text()]).toEqual([400, expect.stringContaining('at most 16777216 bytes')])
    await using server = await serve(mock)
    const init = { method: 'POST', body: new Uint8Array(LARGEST_HANDLER_BODY + 1) }
    const declared = await fetch(`${server.url}/v1/pets`, init)
    expect([declared.status, await declared.text()]).toEqual([400, expect.stringContaining('at most 16777216 bytes')])
    expect(error).not.toHaveBeenCalled()
  })

  test('are not asked for more of a response whose client has gone', async () => {
    const mock = createMock()
    const cancelled = Promise.withResolvers<void>()
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new Uint8Array(1)),
      cancel: () => cancelled.resolve(),
    })
    const headers = { 'content-type': 'text/event-stream' }
    mock.use(http.get('*/endless', () => new HttpResponse(body, { headers })))
    await using server = await serve(mock)
    const leave = new AbortController()
    const response = await fetch(`${server.url}/v1/endless`, { signal: leave.signal })
    await response.body?.getReader().read()
    leave.abort()
    await cancelled.promise
    await vi.waitFor(() => expect(mock.journal.last()?.answer?.body).toHaveLength(1))
  })
})

function control(mock: Mock, method: string, path: string, body: string): Promise<Response> {
  return mock.fetch(`/_mock${path}`, { method, headers: { 'content-type': 'application/json' }, body })
}
