import { createMock } from 'petstore-mock'
import { interceptRequests } from 'petstore-mock/node'

const mock = createMock()
const interception = interceptRequests(mock)
afterEach(() => mock.reset())
afterAll(() => interception.stop())

test('an arrival is booked', async () => {
  const response = await fetch('https://api.petstore.example/v1/inventory/1', {
    method: 'PATCH',
    headers: { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ quantity: 20 }),
  })
  expect(await response.json()).toEqual({ petId: 1, quantity: 20, status: 'available' })
})
