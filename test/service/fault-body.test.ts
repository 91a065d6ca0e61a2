import { HttpResponse, http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'

const LIST = '/v1/inventory'
const headers = { authorization: 'Bearer demo-key' }
const SLOW = { bytesPerSecond: 1000, times: 1 }

/** Time stands still, so that a body arrives only when the test lets it. */
function createSlowMock(): Mock {
  const mock = createMock()
  mock.clock.useVirtual()
  mock.faults.add(SLOW)
  return mock
}

async function readText(mock: Mock): Promise<string> {
  const response = await mock.fetch(LIST, { headers })
  return response.text()
}

describe('a fault with bytesPerSecond', () => {
  test('sends the head at once and then the body, a tenth of that at a time', async () => {
    const whole = await readText(createMock())
    const mock = createSlowMock()
    const response = await mock.fetch(LIST, { headers })
    expect(response.headers.get('content-length')).toBe(String(whole.length))
    const reader = response.body?.getReader()
    let text = new TextDecoder().decode((await reader?.read())?.value)
    expect(text).toHaveLength(100)
    while (text.length < whole.length) {
      const before = mock.clock.now()
      const next = reader?.read()
      await vi.waitFor(() => expect(mock.clock.pending).toBe(1))
      await mock.clock.advance(99)
      expect(mock.clock.pending).toBe(1)
      await mock.clock.advance(1)
      text += new TextDecoder().decode((await next)?.value)
      expect(mock.clock.now() - before).toBe(100)
    }
    expect(text).toBe(whole)
    expect((await reader?.read())?.done).toBe(true)
    expect(await readText(mock)).toBe(whole)
  })

  test('slows down the responses of faults and of handlers, and the journal has all of them at once', async () => {
    const mock = createMock({ handlers: [http.get('*/v1/hours', () => HttpResponse.json({ opens: '09:00' }))] })
    mock.faults.add({ ...SLOW, status: 503, operation: 'listInventory', body: 'x'.repeat(150) })
    mock.faults.add({ ...SLOW, bytesPerSecond: 50, path: '/hours' })
    for (const [path, size] of [
      [LIST, 100],
      ['/v1/hours', 5],
    ] as const) {
      const response = await mock.fetch(path, { headers })
      const reader = response.body?.getReader()
      expect((await reader?.read())?.value).toHaveLength(size)
      await reader?.cancel()
    }
    expect(mock.journal.entries[0]?.answer?.body).toHaveLength(152)
    await vi.waitFor(() => expect(mock.journal.entries[1]?.answer?.body).toBe('{"opens":"09:00"}'))
    expect(mock.clock.pending).toBe(0)
  })

  test.each<[string, (scene: { mock: Mock; leave: AbortController; reader: ReadableStreamDefaultReader }) => unknown]>([
    ['a client that cancels the body', ({ reader }) => reader.cancel()],
    ['a client that aborts', ({ leave }) => leave.abort()],
    ['reset()', ({ mock }) => mock.reset()],
  ])('waits no longer after %s', async (_title, end) => {
    const mock = createSlowMock()
    const leave = new AbortController()
    const { body } = await mock.fetch(LIST, { headers, signal: leave.signal })
    const reader = (body as ReadableStream).getReader()
    await reader.read()
    const next = reader.read().catch(() => {})
    await vi.waitFor(() => expect(mock.clock.pending).toBe(1))
    await end({ mock, leave, reader })
    await next
    expect(mock.clock.pending).toBe(0)
  })

  test('waits for nobody who reads nothing', async () => {
    const mock = createSlowMock()
    await mock.fetch(LIST, { headers })
    expect(mock.clock.pending).toBe(0)
  })

  test('does the same over TCP, until the client disconnects or the sandbox is reset', async () => {
    const log = vi.spyOn(console, 'error')
    const mock = createSlowMock()
    await using server = await serve(mock)
    for (const end of [(leave: AbortController) => leave.abort(), () => mock.reset()]) {
      const leave = new AbortController()
      const { body } = await fetch(`${server.url}${LIST}`, { headers, signal: leave.signal })
      const reader = (body as ReadableStream).getReader()
      expect((await reader.read()).value).toHaveLength(100)
      await vi.waitFor(() => expect(mock.clock.pending).toBe(1))
      end(leave)
      await expect(reader.read()).rejects.toThrow()
      await vi.waitFor(() => expect(mock.clock.pending).toBe(0))
      mock.faults.add(SLOW)
    }
    mock.clock.useReal()
    mock.faults.clear()
    mock.faults.add({ bytesPerSecond: 10 ** 9 })
    expect(await (await fetch(`${server.url}${LIST}`, { headers })).text()).toBe(await readText(createMock()))
    expect(log).not.toHaveBeenCalled()
    log.mockRestore()
  })

  test('leaves a response without a body as it is', async () => {
    const mock = createSlowMock()
    const response = await mock.fetch(LIST, { method: 'HEAD', headers })
    expect([response.status, response.body]).toEqual([200, null])
  })
})
