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

  test('has functions that can be passed on, as in afterEach(mock.faults.clear)', () => {
    const { faults, journal } = createMock()
    const { add, list, remove, clear } = faults
    const { id } = add({ status: 503 })
    expect([list().length, remove(id), clear(), list()]).toEqual([1, true, undefined, []])
    expect(((pass) => [pass.find(), pass.last(), pass.clear()])({ ...journal })).toEqual([[], undefined, undefined])
  })

  test('is reset with handlers that have no reset, as those of msw 2', () => {
    const mock = createMock()
    const handler = { info: { header: 'GET /pets' }, run: () => {} }
    mock.use(handler)
    mock.reset()
    expect(toService(mock).sandboxes.default.handlers).toEqual([])
  })

  test('shows the pets of its snapshot, and takes a copy of it back', () => {
    const mock = createMock()
    mock.inventory.set(7, { quantity: 41 })
    const snapshot = mock.snapshot()
    const pets = mock.inventory.list()
    mock.reset()
    expect(snapshot.inventory).toEqual(pets)
    mock.restore(structuredClone({ inventory: snapshot.inventory }))
    expect(mock.inventory.list()).toEqual(pets)
  })
})
