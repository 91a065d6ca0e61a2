import { createMock } from 'petstore-mock'
import { afterEach, expect, test } from 'vitest'

const mock = createMock({
  fixture: {
    inventory: [
      { petId: 1, quantity: 3, status: 'available' },
      { petId: '9223372036854775807', quantity: 0, status: 'sold' },
    ],
  },
})
afterEach(() => mock.reset())

test('a test changes what it likes', () => {
  mock.inventory.set(1, { quantity: 500 })
  mock.inventory.add({ petId: 2, quantity: 8, status: 'pending' })
  const stocked = mock.snapshot()

  mock.load('empty')
  expect(mock.inventory.list()).toEqual([])

  mock.restore(stocked)
  expect(mock.inventory.size).toBe(3)
})

test('the next test starts from the seed', () => {
  expect(mock.inventory.list()).toEqual([
    { petId: 1, quantity: 3, status: 'available' },
    { petId: 9223372036854775807n, quantity: 0, status: 'sold' },
  ])
})
