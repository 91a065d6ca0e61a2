import { test } from 'petstore-mock/vitest'
import { expect } from 'vitest'

const bookArrival = () =>
  fetch('https://api.petstore.example/v1/inventory/1', {
    method: 'PATCH',
    headers: { authorization: 'Bearer demo-key', 'content-type': 'application/json' },
    body: JSON.stringify({ quantity: 20 }),
  })

test('an arrival is booked under the key of the code', async ({ mock }) => {
  await bookArrival()
  expect(mock).toHaveStock(1, 20)
})

test('the next test starts from the seed', ({ mock }) => {
  expect(mock).toHaveStock(1, 12)
})
