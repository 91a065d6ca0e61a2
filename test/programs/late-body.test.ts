import { expect, test, vi } from 'vitest'

// Its own file in a project that isolates files: the mock takes its timers when it loads.
vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
const { createMock } = await import('petstore-mock')

test('a body that has not arrived after 30 s is a 408, and the journal shows the request', async () => {
  const mock = createMock()
  const init = { method: 'PATCH', body: new ReadableStream(), duplex: 'half' }
  const answered = mock.fetch('/v1/inventory/1', init as RequestInit)
  await vi.advanceTimersByTimeAsync(29_999)
  expect(mock.journal.entries).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect((await answered).status).toBe(408)
  expect(mock.journal.last()).toMatchObject({ answer: { status: 408 }, request: { body: '', isCut: true } })
})
