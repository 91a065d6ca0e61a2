import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { type RunningWorker, startWorker } from '../../src/runtimes/browser.ts'

const HEADERS = { authorization: 'Bearer demo-key' }

describe.each(['worker', 'page'] as const)('mode %s', (mode) => {
  const mock = createMock()
  let worker: RunningWorker

  beforeEach(async () => {
    worker = await startWorker(mock, { mode })
  })

  afterEach(async () => {
    // Chromium keeps a worker that has a request without an end: a client that waits for ever is let go first.
    mock.reset()
    await worker.stop()
  })

  test('a page sees a status that was asked for', async () => {
    mock.faults.add({ status: 503, retryAfter: 2, times: 1 })
    const answer = await fetch('/v1/inventory', { headers: HEADERS })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    expect((await fetch('/v1/inventory', { headers: HEADERS })).status).toBe(200)
  })

  test.each(['network', 'reset'] as const)('a page sees %s as a failed fetch', async (error) => {
    mock.faults.add({ error })
    await expect(fetch('/v1/inventory', { headers: HEADERS })).rejects.toThrow(TypeError)
  })
})
