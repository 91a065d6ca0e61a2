import { createMock } from 'petstore-mock'
import { interceptRequests } from 'petstore-mock/node'

const mock = createMock({ baseUrl: 'https://api.petstore.example/v1' })
const interception = interceptRequests(mock)
afterEach(() => mock.reset())
afterAll(() => interception.stop())

test('an arrival is booked', async () => {
  await fetch('https://api.petstore.example/v1/inventory/1', {
    method: 'PATCH',
    headers: { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ quantity: 20 }),
  })

  expect(mock.journal.find({ operation: 'updateInventory', petId: 1 })).toHaveLength(1)
  expect(mock.inventory.get(1).quantity).toBe(20)
})
