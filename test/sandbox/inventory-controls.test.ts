import { describe, expect, test } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'

const PETS = [
  { petId: 1, quantity: 5, status: 'available' },
  { petId: 2, quantity: 0, status: 'sold' },
  { petId: 9223372036854775807n, quantity: -3, status: 'available' },
] as const

describe('mock.inventory', () => {
  test('lists the pets in their order, and counts them', () => {
    const { inventory } = createMock({ fixture: { inventory: PETS } })
    expect([inventory.list(), inventory.size]).toEqual([PETS, 3])
  })

  test('gets a pet by its id in any form, and nothing for a pet that does not exist', () => {
    const { inventory } = createMock({ fixture: { inventory: PETS } })
    expect([inventory.get(1), inventory.get('1'), inventory.get(1n)]).toEqual([PETS[0], PETS[0], PETS[0]])
    expect([inventory.get('9223372036854775807'), inventory.get(3)]).toEqual([PETS[2], undefined])
  })

  test('changes the quantity, the status, or both', () => {
    const { inventory } = createMock({ fixture: { inventory: PETS } })
    expect(inventory.set(1, { quantity: 7 })).toEqual({ petId: 1, quantity: 7, status: 'available' })
    expect(inventory.set(1, { status: 'pending' })).toEqual({ petId: 1, quantity: 7, status: 'pending' })
    expect(inventory.set('1', { quantity: 0, status: 'sold' })).toEqual({ petId: 1, quantity: 0, status: 'sold' })
  })

  test('adds a pet at the end, and removes one once', () => {
    const { inventory } = createMock({ fixture: { inventory: PETS } })
    const pet = { petId: 0, quantity: 1, status: 'sold' } as const
    expect([inventory.add(pet), inventory.list().at(-1)]).toEqual([pet, pet])
    expect([inventory.remove(0), inventory.remove(0), inventory.size]).toEqual([true, false, 3])
  })

  test.each<[string, string, (inventory: Mock['inventory']) => void]>([
    [
      'UNKNOWN_PET',
      'Failed to change pet 3: it does not exist. Add it with inventory.add().',
      (inventory) => inventory.set(3, { quantity: 1 }),
    ],
    [
      'DUPLICATE_PET',
      'Failed to add pet 1: it already exists. Change it with inventory.set().',
      (inventory) => inventory.add({ petId: '1', quantity: 1, status: 'sold' }),
    ],
    ['INVALID_PET', 'change a pet: the change must be an object', ({ set }) => set(1, 5 as never)],
    ['INVALID_PET', 'Failed to change a pet: quantity must be', (inventory) => inventory.set(1, { quantity: 1.5 })],
    ['INVALID_PET', 'change a pet: status must be', ({ set }) => set(1, { status: 'gone' as never })],
    ['INVALID_PET', 'add a pet: the pet must be an object with petId', ({ add }) => add(null as never)],
  ])('refuses with %s: %s', (code, message, act) => {
    const { inventory } = createMock({ fixture: { inventory: PETS } })
    expect(() => act(inventory)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }))
    expect(inventory.list()).toEqual(PETS)
  })
})
