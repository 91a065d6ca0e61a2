import { expect, test } from 'vitest'
import edges from '../../fixtures/int64-edges.json' with { type: 'json' }
import lowStock from '../../fixtures/low-stock.json' with { type: 'json' }
import { createMock } from '../../src/index.ts'

// What TypeScript knows of an imported file is part of the test: a status is any string to it.
test('a fixture imported as JSON is one for createMock, load and reseed', () => {
  const mock = createMock({ fixture: lowStock })
  expect(mock.inventory.size).toBe(lowStock.inventory.length)
  mock.load(edges)
  expect(mock.inventory.size).toBe(edges.inventory.length)
  mock.reseed(lowStock)
  expect(mock.inventory.size).toBe(lowStock.inventory.length)
})

test('a status that the file misspells is refused by its place', () => {
  const pets: { inventory: { petId: number; quantity: number; status: string }[] } = {
    inventory: [{ petId: 1, quantity: 1, status: 'avialable' }],
  }
  expect(() => createMock({ fixture: pets })).toThrow('fixture: inventory[0].status: must be one of available, pending')
})
