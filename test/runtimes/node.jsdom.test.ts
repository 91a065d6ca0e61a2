// @vitest-environment jsdom
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { interceptRequests } from '../../src/runtimes/node.ts'
import { expectSent, OUTCOMES, sendByXhr } from './sent-bodies.ts'

describe('in jsdom', () => {
  const mock = createMock({ fixture: 'int64-edges', baseUrl: 'https://api.petstore.example/v1' })
  let interception: ReturnType<typeof interceptRequests>
  beforeAll(() => {
    interception = interceptRequests(mock)
  })
  afterAll(() => interception.stop())

  test('XMLHttpRequest is answered, ids exact', async () => {
    const request = new XMLHttpRequest()
    request.open('PATCH', 'https://api.petstore.example/v1/inventory/9223372036854775807')
    request.setRequestHeader('Authorization', 'Bearer demo-key')
    request.setRequestHeader('Content-Type', 'application/json')
    request.send('{"quantity":5}')
    await new Promise((resolve) => request.addEventListener('loadend', resolve))
    expect([request.status, request.responseText]).toEqual([
      200,
      '{"petId":9223372036854775807,"quantity":5,"status":"sold"}',
    ])
  })

  test.each(Object.entries(OUTCOMES))('what XMLHttpRequest sent is in the journal: %s', async (_, outcome) => {
    const origin = 'https://jsdom.petstore.example'
    const other = createMock({ ...outcome.options, baseUrl: `${origin}/v1` })
    onTestFinished(interceptRequests(other).stop)
    await expectSent(sendByXhr, { mock: other, origin, outcome })
  })

  test('XMLHttpRequest sees a truncated response as one error', async () => {
    const request = new XMLHttpRequest()
    const events: string[] = []
    for (const type of ['load', 'error', 'abort', 'timeout', 'loadend'] as const) {
      request.addEventListener(type, () => events.push(type))
    }
    mock.faults.add({ error: 'truncated', times: 1 })
    request.open('GET', 'https://api.petstore.example/v1/inventory')
    request.setRequestHeader('Authorization', 'Bearer demo-key')
    request.send()
    await expect.poll(() => events).toContain('loadend')
    // A second round of events would come before this one.
    expect((await fetch('https://api.petstore.example/v1/inventory')).status).toBe(401)
    expect(events).toEqual(['error', 'loadend'])
    expect([request.readyState, request.status]).toEqual([4, 0])
  })

  test('no channel is opened that other mocks could hear', async () => {
    const opened: string[] = []
    const Original = globalThis.BroadcastChannel
    globalThis.BroadcastChannel = class extends Original {
      constructor(name: string) {
        super(name)
        opened.push(name)
      }
    }
    try {
      const other = createMock()
      await other.fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
    } finally {
      globalThis.BroadcastChannel = Original
    }
    expect(opened).toEqual([])
  })
})
