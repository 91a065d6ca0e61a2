import { test } from 'petstore-mock/vitest'
import { expect } from 'vitest'

test('an arrival is booked once', async ({ inventory }) => {
  await fetch('https://api.petstore.example/v1/inventory/1', {
    method: 'PATCH',
    headers: { authorization: `Bearer ${inventory.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ quantity: 20 }),
  })

  expect(inventory).toHaveReceived('updateInventory', { petId: 1, body: { quantity: 20 }, times: 1 })
  expect(inventory).toHaveStock(1, 20)
})
