import { describe, expect, test } from 'vitest'
import { ByteBudget } from '../../src/http/byte-budget.ts'
import { toFetchResult } from '../../src/http/to-fetch-result.ts'
import { BODY_TOO_LARGE, toWireRequest } from '../../src/http/wire-request.ts'

describe.each([
  ['with a stream', true],
  ['without one, as in Firefox', false],
])('the body of a request %s', (_, hasStream) => {
  const read = (length: number, limit: number, budget?: ByteBudget) => {
    const request = new Request('http://a.example/', { method: 'POST', body: new Uint8Array(length) })
    if (!hasStream) Object.defineProperty(request, 'body', { value: undefined })
    return toWireRequest(request).readBody(limit, budget)
  }

  test('is read up to its limit', async () => {
    expect([await read(5, 5), await read(6, 5)]).toEqual([new Uint8Array(5), BODY_TOO_LARGE])
  })

  test('is read as long as the budget lasts, from which it takes its bytes', async () => {
    const budget = new ByteBudget(10)
    expect([await read(6, 100, budget), await read(5, 100, budget)]).toEqual([new Uint8Array(6), BODY_TOO_LARGE])
    expect([await read(4, 100, budget), budget.take(1)]).toEqual([new Uint8Array(4), false])
  })
})

test.each(['the client gives up', 'the client is let go'])('a time-out lasts until %s', async (reason) => {
  const [client, sandbox] = [new AbortController(), new AbortController()]
  const fault = { type: 'connection-fault', kind: 'timeout', released: sandbox.signal } as const
  const events: string[] = []
  const failed = Promise.resolve(toFetchResult(fault, { method: 'GET', signal: client.signal })).catch(({ name }) => {
    events.push(name)
  })
  await new Promise((resolve) => setTimeout(resolve, 0))
  events.push(reason)
  ;(reason === 'the client gives up' ? client : sandbox).abort()
  await failed
  expect(events).toEqual([reason, reason === 'the client gives up' ? 'AbortError' : 'TypeError'])
})
