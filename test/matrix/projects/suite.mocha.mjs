import assert from 'node:assert/strict'
import { createMock } from 'petstore-mock'
import { interceptRequests } from 'petstore-mock/node'

const mock = createMock()
const interception = interceptRequests(mock)
afterEach(() => mock.reset())
after(() => interception.stop())

for (const turn of [1, 2]) {
  it(`books an arrival, ${turn}`, async () => {
    assert.equal(mock.inventory.get(1).quantity, 12)
    const response = await fetch('https://api.petstore.example/v1/inventory/1', {
      method: 'PATCH',
      headers: { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ quantity: 20 }),
    })
    assert.deepEqual(await response.json(), { petId: 1, quantity: 20, status: 'available' })
  })
}
