import { createMock } from 'petstore-mock'
import { matchers } from 'petstore-mock/matchers'
import { interceptRequests } from 'petstore-mock/node'

expect.extend(matchers)

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

  expect(mock).toHaveReceived('updateInventory', { petId: 1, body: { quantity: expect.any(Number) }, times: 1 })
  expect(mock).toHaveStock(1, 20)
})
