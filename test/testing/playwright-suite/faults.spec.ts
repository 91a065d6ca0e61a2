import { expect } from '../../../src/testing/playwright.ts'
import { send, test, toUpdate } from './shop.ts'

for (const error of ['network', 'reset'] as const) {
  test(`a ${error} fault is a failed fetch, and changes nothing`, async ({ sendFromPage, inventory, page }) => {
    inventory.faults.add({ error, times: 1 })
    const failed = page.waitForEvent('requestfailed')
    expect(await sendFromPage('/inventory/1', toUpdate(5))).toEqual({ error: 'TypeError: Failed to fetch' })
    const reasons = { network: 'net::ERR_CONNECTION_CLOSED', reset: 'net::ERR_CONNECTION_RESET' }
    expect((await failed).failure()?.errorText).toBe(reasons[error])
    await expect(inventory).toHaveStock(1, 12)
    expect((await sendFromPage('/inventory/1', toUpdate(5))).status).toBe(200)
  })
}

test('of a truncated answer the first half comes, and the update took place', async ({ sendFromPage, inventory }) => {
  inventory.faults.add({ error: 'truncated', times: 1 })
  const whole = '{"petId":1,"quantity":5,"status":"available"}'
  const answer = await sendFromPage('/inventory/1', toUpdate(5))
  expect(answer).toMatchObject({ status: 200, body: whole.slice(0, whole.length / 2) })
  expect(answer.headers?.['content-length']).toBe(String(whole.length))
  await expect(inventory).toHaveStock(1, 5)
})

test('a status comes with Retry-After, readable at another origin', async ({ sendFromPage, inventory }) => {
  inventory.faults.add({ status: 503, retryAfter: 7, times: 1 })
  expect(await sendFromPage('/inventory')).toMatchObject({ status: 503, headers: { 'retry-after': '7' } })
})

test('of a timeout nothing comes, until a reset lets the page go', async ({ sendFromPage, inventory, page }) => {
  inventory.faults.add({ error: 'timeout' })
  const failed = page.waitForEvent('requestfailed')
  const answered = sendFromPage('/inventory')
  await expect(inventory).toHaveReceived('listInventory')
  inventory.reset()
  expect(await answered).toEqual({ error: 'TypeError: Failed to fetch' })
  expect((await failed).failure()?.errorText).toBe('net::ERR_TIMED_OUT')
})

test('a delay passes by the mock’s clock', async ({ sendFromPage, inventory }) => {
  inventory.setDelay(60_000)
  inventory.clock.useVirtual()
  const answered = sendFromPage('/inventory')
  await expect.poll(() => inventory.clock.pending).toBe(1)
  await inventory.clock.advance(60_000)
  expect((await answered).status).toBe(200)
})

test('a page that gives up while it waits changes nothing', async ({ page, shop, inventory }) => {
  inventory.setDelay(60_000)
  await page.goto(shop.url)
  const answered = send(page, '/inventory/1', toUpdate(5)).catch(() => 'gone')
  await expect.poll(() => inventory.clock.pending).toBe(1)
  await page.goto(`${shop.url}/elsewhere`)
  await answered
  await expect.poll(() => inventory.clock.pending).toBe(0)
  expect(inventory.journal.last()?.answer).toBeUndefined()
  await expect(inventory).toHaveStock(1, 12)
})

test('requests that are under way do not hold up the end of a test', async ({ page, shop, inventory }) => {
  await page.goto(shop.url)
  inventory.faults.add({ operation: 'listInventory', error: 'timeout' })
  inventory.faults.add({ operation: 'updateInventory', delay: 60_000 })
  void send(page, '/inventory').catch(() => {})
  void send(page, '/inventory/1', toUpdate(5)).catch(() => {})
  await expect(inventory).toHaveReceived('listInventory')
  await expect.poll(() => inventory.clock.pending).toBe(1)
})
