import { createMock } from 'petstore-mock'
import { interceptRequests } from 'petstore-mock/node'
import { afterAll, afterEach, expect, test, vi } from 'vitest'

const mock = createMock({ baseUrl: 'https://api.petstore.example/v1' })
const interception = interceptRequests(mock)
afterAll(() => interception.stop())
afterEach(() => {
  mock.reset()
  vi.useRealTimers()
})

test('an arrival is booked in the third attempt', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  mock.faults.add({ operation: 'updateInventory', status: 503, retryAfter: 60, times: 2 })

  const booking = bookArrival(1, 20)
  for (let pauses = 0; pauses < 2; pauses += 1) {
    await vi.waitUntil(() => vi.getTimerCount() > 0)
    vi.advanceTimersByTime(60_000)
  }
  await booking

  const attempts = mock.journal.find({ operation: 'updateInventory', petId: 1 })
  expect(attempts.map(({ answer }) => answer?.status)).toEqual([503, 503, 200])
  expect(mock.inventory.get(1)?.quantity).toBe(20)
})

/** The code under test: on a 503 it retries after the time in Retry-After. */
async function bookArrival(petId: number, quantity: number): Promise<void> {
  const response = await fetch(`https://api.petstore.example/v1/inventory/${petId}`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer demo-key', 'content-type': 'application/json' },
    body: JSON.stringify({ quantity }),
  })
  if (response.status !== 503) return
  await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after')) * 1000))
  await bookArrival(petId, quantity)
}
