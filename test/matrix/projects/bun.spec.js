// Bun's node:http cannot be intercepted, so that its tests run beside a server.

import { expect, test } from 'bun:test'
import axios from 'axios'
import { connectMock } from 'petstore-mock/client'
import { matchers } from 'petstore-mock/matchers'

expect.extend(matchers)

const { PETSTORE_MOCK_URL: url, PETSTORE_MOCK_API_KEY: apiKey } = process.env
const mock = connectMock(url, { apiKey, sandbox: 'bun' })

test('an arrival is booked', async () => {
  await axios.patch(`${url}/inventory/1`, { quantity: 20 }, { headers: { authorization: `Bearer ${mock.apiKey}` } })

  await expect(mock).toHaveReceived('updateInventory', { petId: 1, body: { quantity: expect.any(Number) }, times: 1 })
  await expect(mock).toHaveStock(1, 20)
})
