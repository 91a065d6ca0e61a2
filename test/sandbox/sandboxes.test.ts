import { describe, expect, test, vi } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import type { SandboxEvent } from '../../src/sandbox/events.ts'
import { toService } from '../../src/service/mock.ts'
import { list } from '../ask.ts'

describe('the sandboxes of a mock', () => {
  test('are evicted once above their maximum, also if a listener opens one, with a warning that says why', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const mock = createMock({ maxSandboxes: 1 })
    const removed: string[] = []
    mock.onChange((change) => removed.push(change.sandbox) < 9 && mock.sandbox('log').apiKey)
    for (const name of ['a', 'b']) mock.sandbox(name)
    const reason = 'there are more than 1 sandboxes; the least recently used ones are evicted, a first'
    expect([removed, warn.mock.calls]).toEqual([['a'], [[`petstore-mock: ${reason}`]]])
  })

  test('have a name that a key can hold', () => {
    const { sandboxes } = toService(createMock())
    expect(() => sandboxes.open('no name')).toThrow(expect.objectContaining({ code: 'INVALID_SANDBOX' }))
    expect(sandboxes.size).toBe(0)
  })

  test('that received a request are known to the journal of each', async () => {
    const mock = createMock()
    for (const name of ['a', 'b', 'none']) mock.sandbox(name)
    for (const name of ['a', 'b']) await list(mock, mock.sandbox(name).apiKey)
    const { journal } = toService(mock).sandboxes.default
    expect(journal.findReceivers({ operation: 'listInventory' })).toEqual(['a', 'b'])
    expect(journal.findReceivers({ method: 'PATCH' })).toEqual([])
  })

  test.each<[string, (mock: Mock) => unknown]>([
    ['removed', (mock) => toService(mock).sandboxes.remove('a')],
    ['evicted', (mock) => mock.sandbox('b')],
  ])('that were %s begin anew, and what is still done to the old one reaches no request', async (_, remove) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const mock = createMock({ maxSandboxes: 1 })
    const old = mock.sandbox('a')
    old.inventory.set(1, { quantity: 99 })
    old.setDelay(60_000)
    remove(mock)
    old.faults.add({ status: 503 })
    const response = await list(mock, old.apiKey)
    expect([response.status, (await response.json())[0].quantity]).toEqual([200, 12])
    expect([old.journal.entries.length, mock.sandbox('a').journal.entries.length]).toEqual([0, 1])
    expect([mock.sandbox('a').inventory.get(1)?.quantity, mock.sandbox('a').faults.list()]).toEqual([12, []])
  })

  test('are removed by name, but for the default one', () => {
    const { sandboxes } = toService(createMock())
    const events: SandboxEvent[] = []
    sandboxes.open('a').events.subscribe((event) => events.push(event))
    expect([sandboxes.remove('a'), sandboxes.remove('a'), sandboxes.remove('default')]).toEqual([true, false, false])
    expect([events, sandboxes.size]).toEqual([[{ type: 'end' }], 0])
  })
})
