import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import { MOST_STREAMS } from '../../src/sandbox/events.ts'
import { toService } from '../../src/service/mock.ts'
import { list, update } from '../ask.ts'

describe('GET /_mock/events', () => {
  test('reports every change of state, in its order, ids exact', async () => {
    const mock = createMock()
    const events = await listen(mock)
    mock.inventory.set(1, { quantity: 7 })
    mock.inventory.add({ petId: 9223372036854775807n, quantity: 0, status: 'sold' })
    mock.inventory.remove(2)
    mock.load('empty')
    const snapshot = mock.snapshot()
    mock.restore(snapshot)
    expect(await events.take(6)).toEqual([
      { event: 'state', data: '{"fixture":"default","pets":10}' },
      { event: 'pet', data: '{"petId":1,"quantity":7,"status":"available"}' },
      { event: 'pet', data: '{"petId":9223372036854775807,"quantity":0,"status":"sold"}' },
      { event: 'pet-removed', data: '{"petId":2}' },
      { event: 'state', data: '{"fixture":"empty","pets":0}' },
      { event: 'state', data: '{"fixture":"empty","pets":0}' },
    ])
  })

  test('reports exchanges, delays, and faults without their bodies', async () => {
    const mock = createMock()
    const events = await listen(mock)
    mock.setDelay([0, 1])
    mock.faults.add({ status: 503, times: 1, body: 'sent to clients only' })
    const told = await events.take(3)
    await list(mock)
    told.push(...(await events.take(2)))
    mock.journal.clear()
    told.push(...(await events.take(1)))
    expect(told.map(({ event }) => event).join()).toBe('state,delay,faults,exchange,faults,journal-cleared')
    const exchange = told.splice(3, 1)[0]?.data ?? ''
    expect(told.slice(1).map(({ data }) => JSON.parse(data))).toEqual([
      { delay: [0, 1] },
      [{ status: 503, times: 1, id: 1, used: 0 }],
      [],
      {},
    ])
    expect(JSON.parse(exchange)).toMatchObject({ id: 1, operation: 'listInventory', answer: { status: 503 } })
    expect(exchange).not.toContain('demo-key')
  })

  test('reports its own sandbox only', async () => {
    const mock = createMock()
    const events = await listen(mock, '?sandbox=a')
    mock.inventory.set(1, { quantity: 1 })
    mock.sandbox('b').inventory.set(1, { quantity: 2 })
    mock.sandbox('a').inventory.set(1, { quantity: 3 })
    expect((await events.take(2))[1]?.data).toContain('"quantity":3')
  })

  test('a mock has 64 streams open at most, and says so', async () => {
    const mock = createMock()
    for (let index = 0; index < MOST_STREAMS; index += 1) await listen(mock, `?sandbox=s${index % 3}`)
    const refused = await mock.fetch('/_mock/events')
    expect([refused.status, await refused.json()]).toEqual([
      429,
      { code: 'too_many_requests', message: expect.stringContaining('64 open event streams'), status: 429 },
    ])
    toService(mock).sandboxes.remove('s1')
    expect((await mock.fetch('/_mock/events', { method: 'HEAD' })).status).toBe(200)
    expect((await (await listen(mock)).take(1))[0]?.event).toBe('state')
  })
})

describe('mock.onChange', () => {
  test('a listener that throws is logged, the update succeeds, and the others are called', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => told.mockRestore())
    const mock = createMock()
    const seen: string[] = []
    const broken = new Error('broken')
    mock.onChange(() => {
      throw broken
    })
    mock.onChange(({ type }) => seen.push(type))
    expect([(await update(mock, 1, 3)).status, seen]).toEqual([200, ['pet']])
    expect(told.mock.calls).toEqual([['A listener of the mock failed:', broken]])
  })

  test('reports the changes of all sandboxes until it is stopped', () => {
    const mock = createMock({ fixture: 'empty' })
    const seen: unknown[] = []
    const stop = mock.onChange((change) => seen.push(change))
    const pet = { petId: 2n ** 63n - 1n, quantity: 1, status: 'sold' } as const
    mock.inventory.add(pet)
    mock.sandbox('a').inventory.add(pet)
    mock.inventory.remove(pet.petId)
    mock.sandbox('a').reset()
    // These are no changes of the state.
    mock.setDelay(1)
    mock.faults.add({ status: 503 })
    mock.journal.clear()
    toService(mock).sandboxes.remove('a')
    stop()
    mock.inventory.add(pet)
    expect(seen).toEqual([
      { sandbox: 'default', type: 'pet', pet },
      { sandbox: 'a', type: 'pet', pet },
      { sandbox: 'default', type: 'pet-removed', petId: pet.petId },
      { sandbox: 'a', type: 'state' },
      { sandbox: 'a', type: 'sandbox-removed' },
    ])
  })
})

async function listen(mock: Mock, query = '') {
  const answer = await mock.fetch(`/_mock/events${query}`)
  expect(answer.status).toBe(200)
  const reader = (answer.body as ReadableStream<Uint8Array<ArrayBuffer>>)
    .pipeThrough(new TextDecoderStream())
    .getReader()
  onTestFinished(() => reader.cancel())
  return {
    async take(count: number) {
      let text = ''
      while (text.split('\n\n').length <= count)
        text += (await reader.read()).value ?? expect.fail('the stream has ended')
      return text.split('\n\n').slice(0, -1).map(toEvent)
    },
  }
}

function toEvent(text: string): { event: string; data: string } {
  const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(text) ?? []
  return { event, data }
}
