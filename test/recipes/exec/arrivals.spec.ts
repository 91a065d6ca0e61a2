import { connectMock } from 'petstore-mock/client'
import { beforeEach, expect, test } from 'vitest'

const { PETSTORE_MOCK_URL: url = '', PETSTORE_MOCK_API_KEY: apiKey = '' } = process.env

// Test files run in parallel, so each has a sandbox of its own.
const mock = connectMock(url, { apiKey, sandbox: 'arrivals' })

beforeEach(async () => {
  await mock.reset()
  await mock.inventory.set(1, { quantity: 3 })
})

test('an arrival is booked', async () => {
  await bookArrival(1, 20)

  expect((await mock.inventory.get(1))?.quantity).toBe(20)
  expect(await mock.journal.find({ operation: 'updateInventory', petId: 1 })).toHaveLength(1)
})

test('an outage is not hidden', async () => {
  await mock.faults.add({ operation: 'updateInventory', status: 503 })

  await expect(bookArrival(1, 20)).rejects.toThrow('503')
  expect((await mock.inventory.get(1))?.quantity).toBe(3)
})

/** The code under test. Its address and key are settings. */
async function bookArrival(petId: number, quantity: number): Promise<void> {
  const { status } = await fetch(`${url}/inventory/${petId}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ quantity }),
  })
  if (status !== 200) throw new Error(`booking failed with ${status}`)
}
