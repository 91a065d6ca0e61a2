import { createMock } from 'petstore-mock'
import { interceptRequests } from 'petstore-mock/node'
import { afterAll, afterEach, expect, test } from 'vitest'

const mock = createMock({ fixture: 'empty' })
const interception = interceptRequests(mock)
afterEach(() => mock.reset())
afterAll(() => interception.stop())

test('the app shows what the test created', async () => {
  mock.inventory.add({ petId: 1, quantity: 3, status: 'available' })

  const response = await fetch('https://api.petstore.example/v1/inventory', {
    headers: { authorization: `Bearer ${mock.apiKey}` },
  })

  expect(await response.json()).toHaveLength(1)
  expect(mock.journal.find({ operation: 'listInventory' })).toHaveLength(1)
})
