import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMock, generateFixture } from '../../src/index.ts'
import { toService } from '../../src/service/mock.ts'
import { update } from '../ask.ts'

describe('the history', () => {
  test('has each change with the pet before and after, and what made it', async () => {
    const mock = createMock()
    await update(mock, 5, 12)
    mock.inventory.add({ petId: '9223372036854775807', quantity: 0, status: 'sold' })
    await mock.fetch('/_mock/pets/3', { method: 'DELETE' })
    mock.load('empty')
    const sold = { petId: 3, quantity: 0, status: 'sold' }
    const large = { petId: 9223372036854775807n, quantity: 0, status: 'sold' }
    expect(mock.history.list()).toEqual([
      { id: 1, petId: 5, before: pet(5, 25), after: pet(5, 12), exchange: 1, isUndone: false },
      { id: 2, petId: large.petId, after: large, isUndone: false },
      { id: 3, petId: 3, before: sold, route: 'DELETE /pets/{petId}', isUndone: false },
      { id: 4, isUndone: false },
    ])
  })

  test('does not name a control route that was refused', async () => {
    const mock = createMock()
    await mock.fetch('/_mock/pets/999', { method: 'DELETE' })
    mock.inventory.remove(1)
    expect(mock.history.list()[0]?.route).toBeUndefined()
  })

  test('goes back and forth to every state, exactly', () => {
    const id = fc.integer({ min: 1, max: 14 })
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.tuple(fc.constant('put' as const), id, fc.integer({ min: 0, max: 2 })) },
      { weight: 3, arbitrary: fc.tuple(fc.constant('remove' as const), id, fc.constant(0)) },
      fc.tuple(fc.constantFrom('load' as const, 'restore' as const, 'reset' as const), id, fc.constant(0)),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.array(fc.boolean(), { maxLength: 40 }), (steps, ways) => {
        const mock = createMock()
        const sandbox = toService(mock).sandboxes.default
        const { state, history } = sandbox
        const saved = mock.snapshot()
        const look = () => [state.changes, new TextDecoder().decode(Buffer.concat(state.toList()))]
        const seen = [look()]
        for (const [act, petId, quantity] of steps) {
          const before = history.list().length
          if (act === 'put') state.put({ petId: `${petId}`, quantity, status: 'sold' })
          if (act === 'remove') state.remove(`${petId}`)
          if (act === 'load') mock.load('low-stock')
          if (act === 'restore') mock.restore(saved)
          if (act === 'reset') sandbox.reset()
          if (history.list().length > before) seen.push(look())
        }
        let place = seen.length - 1
        for (const isBack of ways) {
          const moved = isBack ? history.undo() : history.redo()
          if (moved !== undefined) place += isBack ? -1 : 1
          expect(look()).toEqual(seen[place])
        }
        const [first] = history.list()
        if (first?.isUndone === false) history.undoTo(first.id)
        expect(look()).toEqual(seen[0])
      }),
    )
  })

  test('has no change that makes no difference, also of the whole state', () => {
    const mock = createMock()
    mock.inventory.set(1, { quantity: 1 })
    mock.history.undo()
    toService(mock).sandboxes.default.reset()
    mock.restore(mock.snapshot())
    mock.inventory.set(1, { quantity: 12 })
    expect(mock.history.list()).toMatchObject([{ id: 1, isUndone: true }])
  })

  test('drops what was undone at the next change', () => {
    const mock = createMock()
    for (const quantity of [1, 2, 3]) mock.inventory.set(1, { quantity })
    const list = () => mock.history.list().map(({ id, isUndone }) => [id, isUndone])
    expect(mock.history.undoTo(2)).toMatchObject([{ id: 3 }, { id: 2 }])
    expect(list().join()).toBe('1,false,2,true,3,true')
    mock.inventory.set(1, { quantity: 9 })
    expect([mock.history.redo(), list().join()]).toEqual([undefined, '1,false,4,false'])
    const undone = [mock.history.undo(), mock.history.undo(), mock.history.undo()]
    expect(undone.map((change) => change?.id)).toEqual([4, 1, undefined])
    expect(mock.history.redo()).toMatchObject({ id: 1, isUndone: false })
  })

  test.each<unknown>([0, 2, 10 ** 21, { id: 1 }])('refuses to undo to change %j', (id) => {
    const mock = createMock()
    for (const quantity of [1, 2]) mock.inventory.set(1, { quantity })
    mock.history.undo()
    const message = `Failed to undo: nothing to undo has id ${JSON.stringify(id)} (${typeof id}). See history.list().`
    const refused = expect.objectContaining({ code: 'INVALID_OPTION', message })
    expect(() => mock.history.undoTo(id as number)).toThrow(refused)
  })

  test('keeps the latest 1,000 changes', () => {
    const mock = createMock()
    for (let quantity = 1; quantity <= 1002; quantity += 1) mock.inventory.set(1, { quantity: -quantity })
    const ids = mock.history.list().map(({ id }) => id)
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([1000, 3, 1002])
    mock.history.undoTo(3)
    expect(mock.inventory.get(1)?.quantity).toBe(-2)
  })

  test('keeps 32 MB of replaced states, and always the latest one', () => {
    const mock = createMock()
    const load = (pets: number) => mock.load(generateFixture({ pets }))
    for (let turn = 0; turn < 5; turn += 1) load(40_000)
    // Of 10 MB each; the first change replaced the seed of the mock, which all sandboxes share.
    expect(mock.history.list().map(({ id }) => id)).toEqual([3, 4, 5])
    load(200_000)
    load(1)
    expect(mock.history.list()).toMatchObject([{ id: 7 }])
    mock.history.undo()
    expect(mock.inventory.size).toBe(200_000)
  })

  test('tells of an undo like of any other change: of one pet, or of a new state where pets come back', () => {
    const mock = createMock()
    mock.inventory.set(1, { quantity: 1 })
    mock.inventory.add({ petId: 11, quantity: 5, status: 'sold' })
    mock.inventory.remove(3)
    const told: unknown[] = []
    mock.onChange((change) => told.push(change))
    const { undo, redo } = { undo: () => mock.history.undo(), redo: () => mock.history.redo() }
    for (const move of [undo, undo, undo, redo, redo]) move()
    mock.history.undoTo(1)
    const sandbox = 'default'
    expect(told).toEqual([
      { sandbox, type: 'state', pets: [3] },
      { sandbox, type: 'pet-removed', petId: 11 },
      { sandbox, type: 'pet', pet: pet(1, 12) },
      { sandbox, type: 'pet', pet: pet(1, 1) },
      { sandbox, type: 'state', pets: [11] },
      { sandbox, type: 'state', pets: [11, 1] },
    ])
  })
})

const pet = (petId: number, quantity: number) => ({ petId, quantity, status: 'available' })
