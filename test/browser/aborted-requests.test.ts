import axios from 'axios'
import { type HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import { type RunningWorker, startWorker } from '../../src/runtimes/browser.ts'

const PATH = '/v1/inventory/1'
const headers = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }
const body = '{"quantity":77}'

type Send = (signal: AbortSignal) => Promise<unknown>

/** The ways in which a page sends an update that it may give up. Each rejects when it is. */
const SEND: Readonly<Record<string, Send>> = {
  fetch: (signal) => fetch(PATH, { method: 'PATCH', headers, body, signal }),
  'fetch with a Request': (signal) => fetch(new Request(PATH, { method: 'PATCH', headers, body, signal })),
  XMLHttpRequest: (signal) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.addEventListener('load', resolve)
      for (const type of ['abort', 'error']) request.addEventListener(type, () => reject(new Error(type)))
      signal.addEventListener('abort', () => request.abort())
      request.open('PATCH', PATH)
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.send(body)
    }),
  axios: (signal) => axios.patch(PATH, body, { headers, signal }),
}

describe.each(['worker', 'page'] as const)('mode %s', (mode) => {
  let mock: Mock
  let worker: RunningWorker

  beforeEach(async () => {
    mock = createMock()
    worker = await startWorker(mock, { mode })
  })

  afterEach(() => worker.stop())

  for (const [title, send] of Object.entries(SEND)) {
    test(`an update that is given up during a delay is not applied: ${title}`, async () => {
      mock.clock.useVirtual()
      mock.faults.add({ delay: 60_000 })
      const client = new AbortController()
      const sent = send(client.signal)
      await expect.poll(() => mock.clock.pending).toBe(1)
      client.abort()
      await expect(sent).rejects.toThrow()
      await expect.poll(() => mock.clock.pending).toBe(0)
      await mock.clock.advance(60_000)
      expect(mock.inventory.get(1)?.quantity).toBe(12)
    })

    test(`an update is applied, and the mock sees the headers that the page sets: ${title}`, async () => {
      await send(new AbortController().signal)
      expect(mock.inventory.get(1)?.quantity).toBe(77)
      expect(Object.keys(mock.journal.last()?.request.headers ?? {}).join()).not.toContain('petstore')
    })

    test(`stop() does not wait for a request that was given up: ${title}`, async () => {
      // Nothing but the abort ends the request.
      vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
      mock.faults.add({ error: 'timeout' })
      const client = new AbortController()
      const sent = send(client.signal)
      await expect.poll(() => mock.journal.entries.length).toBe(1)
      client.abort()
      await expect(sent).rejects.toThrow()
      await worker.stop()
      vi.mocked(AbortSignal.timeout).mockRestore()
      worker = await startWorker(createMock(), { mode })
      expect((await fetch('/v1/inventory', { headers })).status).toBe(200)
    })
  }

  test('a request that is given up at once is not applied, and the next one is', async () => {
    const client = new AbortController()
    const first = fetch(PATH, { method: 'PATCH', headers, body, signal: client.signal })
    client.abort()
    await expect(first).rejects.toThrow()
    expect((await fetch(PATH, { method: 'PATCH', headers, body: '{"quantity":5}' })).status).toBe(200)
    expect(mock.inventory.get(1)?.quantity).toBe(5)
    expect(mock.journal.find({ status: 200 })).toHaveLength(1)
  })

  test.each(['fault', 'handler'])('the timeout of an XMLHttpRequest that no %s answers', async (cause) => {
    if (cause === 'fault') mock.faults.add({ error: 'timeout' })
    else mock.use(http.patch(PATH, () => new Promise<HttpResponse<null>>(() => {})))
    const events: string[] = []
    const request = new XMLHttpRequest()
    for (const type of ['load', 'error', 'abort', 'timeout', 'loadend']) {
      request.addEventListener(type, () => events.push(type))
    }
    const ended = new Promise((resolve) => request.addEventListener('loadend', resolve))
    request.open('PATCH', PATH)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.timeout = 50
    request.send(body)
    await ended
    expect([request.readyState, request.status, events]).toEqual([4, 0, ['timeout', 'loadend']])
    expect(await axios.patch(PATH, body, { headers, timeout: 50 }).catch(({ code }) => code)).toBe('ECONNABORTED')
  })
})
