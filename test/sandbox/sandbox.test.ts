import { describe, expect, test } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import { toService } from '../../src/service/mock.ts'

describe('a sandbox', () => {
  test('draws from a random sequence of its own, whatever the order in which sandboxes are created', () => {
    const draw = (mock: Mock, name: string): number => toService(mock).sandboxes.open(name).random()
    const [one, other] = [createMock(), createMock()]
    const [a, b] = [draw(one, 'a'), draw(one, 'b')]
    expect([draw(other, 'b'), draw(other, 'a')]).toEqual([b, a])
    expect(a).not.toBe(b)
    expect(draw(createMock(), 'ab')).not.toBe(draw(createMock(), 'ba'))
  })

  test('has an empty journal after its reset', async () => {
    const mock = createMock()
    await mock.fetch('/v1/inventory')
    mock.reset()
    expect([mock.journal.entries, mock.journal.dropped]).toEqual([[], 0])
  })

  test('is reset with handlers that have no reset, as those of msw 2', () => {
    const mock = createMock()
    const handler = { info: { header: 'GET /pets' }, run: () => {} }
    mock.use(handler)
    mock.reset()
    expect(toService(mock).sandboxes.default.handlers).toEqual([])
  })

  test.each<[string, string, (mock: Mock) => void]>([
    ['a delay', 'Failed to set the delay: the delay must be milliseconds', (mock) => mock.setDelay(-1)],
    [
      'a handler',
      'Failed to use handlers: [0] must be an msw request handler, such as http.get(path, resolver), got [] (array). Spread an array of handlers.',
      (mock) => mock.use([] as never),
    ],
    [
      'a snapshot',
      'Failed to restore a snapshot: the value was not made by snapshot(). Use load() for a fixture.',
      (mock) => mock.restore('default' as never),
    ],
  ])('refuses %s that it cannot use, and says why', (_, message, act) => {
    expect(() => act(createMock())).toThrow(message)
  })
})
