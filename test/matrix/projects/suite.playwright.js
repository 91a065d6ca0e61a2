import { expect, test } from 'petstore-mock/playwright'

const ORIGIN = 'https://shop.petstore.example'

test.use({ mockOptions: { fixture: 'low-stock' } })

test('an arrival is booked', async ({ page, inventory }) => {
  await page.route(`${ORIGIN}/`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>A shop</p>' }))
  await page.goto(`${ORIGIN}/`)

  const status = await page.evaluate(async (apiKey) => {
    const response = await fetch('/v1/inventory/1', {
      method: 'PATCH',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: '{"quantity":20}',
    })
    return response.status
  }, inventory.apiKey)

  expect(status).toBe(200)
  await expect(inventory).toHaveReceived('updateInventory', { petId: 1, body: { quantity: 20 } })
  await expect(inventory).toHaveStock(1, 20)
})
