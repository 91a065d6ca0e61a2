import { describe, expect, test, vi } from 'vitest'
import { createMock, type Sandbox } from '../../src/index.ts'
import type { SandboxEvent } from '../../src/sandbox/events.ts'
import { SIBLINGS, type Sibling } from '../../src/sandbox/sandboxes.ts'
import { toService } from '../../src/service/mock.ts'
import { list } from '../ask.ts'

describe('the sandboxes of a mock', () => {
  test('find each other by name, with their journals', async () => {
    const mock = createMock()
    const other = mock.sandbox('a')
    await list(mock, other.apiKey)
    for (const sandbox of [mock.sandbox('default'), other]) {
      const siblings = listSiblings(sandbox)
      expect(siblings.map(({ name, journal }) => [name, journal.entries.length])).toEqual([
        ['default', 0],
        ['a', 1],
      ])
    }
  })

  test('are evicted once above their maximum, also if a listener opens one, with a warning that says why', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const mock = createMock({ maxSandboxes: 1 })
    const removed: string[] = []
    mock.onChange((change) => removed.push(change.sandbox) < 9 && mock.sandbox('log').apiKey)
    for (const name of ['a', 'b']) mock.sandbox(name)
    const reason = 'there are more than 1 sandboxes; the least recently used sandbox, a, is evicted'
    expect([removed, warn.mock.calls]).toEqual([['a'], [[`petstore-mock: ${reason}`]]])
  })

  test('are controlled by their names, also after they were removed or evicted', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const mock = createMock({ maxSandboxes: 1 })
    const sandbox = mock.sandbox('a')
    for (const remove of [() => toService(mock).sandboxes.remove('a'), () => mock.sandbox('b')]) {
      sandbox.inventory.set(1, { quantity: 99 })
      remove()
      sandbox.faults.add({ status: 503, times: 1 })
      const ask = () => list(mock, sandbox.apiKey)
      expect([(await ask()).status, sandbox.journal.entries.length]).toEqual([503, 1])
      expect([sandbox.inventory.get(1)?.quantity, (await (await ask()).json())[0].quantity]).toEqual([12, 12])
    }
  })

  test('are removed by name, but for the default one', () => {
    const { sandboxes } = toService(createMock())
    const events: SandboxEvent[] = []
    sandboxes.open('a').events.subscribe((event) => events.push(event))
    expect([sandboxes.remove('a'), sandboxes.remove('a'), sandboxes.remove('default')]).toEqual([true, false, false])
    expect([events, sandboxes.size]).toEqual([[{ type: 'end' }], 0])
  })
})

function listSiblings(sandbox: Sandbox): Sibling[] {
  const { [SIBLINGS]: list } = sandbox as Sandbox & { readonly [SIBLINGS]?: () => Iterable<Sibling> }
  return Array.from(list?.() ?? [])
}
