import { expect, test } from 'petstore-mock/playwright'

test.use({ mockOptions: { fixture: 'low-stock' } })

test('an arrival is booked', async ({ page, inventory }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Book 20' }).click()

  await expect(page.getByText('20 in stock')).toBeVisible()
  await expect(inventory).toHaveReceived('updateInventory', { petId: 1, body: { quantity: 20 } })
  await expect(inventory).toHaveStock(1, 20)
})
