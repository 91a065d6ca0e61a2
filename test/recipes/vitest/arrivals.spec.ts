import { expect, test } from 'vitest'
import { mock } from './setup.ts'

test('an arrival is booked', async () => {
  await fetch('https://api.petstore.example/v1/inventory/1', {
    method: 'PATCH',
    headers: { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ quantity: 20 }),
  })

  expect(mock).toHaveReceived('updateInventory', { petId: 1, times: 1 })
  expect(mock).toHaveStock(1, 20)
})
