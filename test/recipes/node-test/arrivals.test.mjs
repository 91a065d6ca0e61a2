import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { createMock } from 'petstore-mock'
import { interceptRequests } from 'petstore-mock/node'

const mock = createMock({ baseUrl: 'https://api.petstore.example/v1' })
const interception = interceptRequests(mock)
afterEach(() => mock.reset())
after(() => interception.stop())

test('an arrival is booked', async () => {
  await fetch('https://api.petstore.example/v1/inventory/1', {
    method: 'PATCH',
    headers: { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ quantity: 20 }),
  })

  assert.equal(mock.journal.find({ operation: 'updateInventory', petId: 1 }).length, 1)
  assert.equal(mock.inventory.get(1).quantity, 20)
})
