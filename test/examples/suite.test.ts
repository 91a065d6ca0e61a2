import { createMock } from 'petstore-mock'
import { interceptRequests } from 'petstore-mock/node'
import { afterAll, afterEach, expect, test } from 'vitest'

const mock = createMock({ fixture: 'low-stock', baseUrl: 'https://api.petstore.example/v1' })
const interception = interceptRequests(mock)
afterEach(() => mock.reset())
afterAll(() => interception.stop())

test('an arrival is booked', async () => {
  mock.inventory.set(1, { quantity: 0 })

  const response = await fetch('https://api.petstore.example/v1/inventory/1', {
    method: 'PATCH',
    headers: { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ quantity: 20 }),
  })

  expect(await response.json()).toMatchObject({ petId: 1, quantity: 20, status: 'available' })
  expect(mock.inventory.get(1)?.quantity).toBe(20)
})
