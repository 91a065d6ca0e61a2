import { expect } from '../../../src/testing/playwright.ts'
import { test, toUpdate } from './shop.ts'

for (let index = 0; index < 2; index += 1) {
  test(`test ${index} has the pets to itself, with everybody's key`, async ({ sendFromPage, inventory }) => {
    expect(inventory.inventory.get(1)?.quantity).toBe(12)
    await sendFromPage('/inventory/1', toUpdate(100 + index))
    expect((await sendFromPage('/inventory')).body).toContain(`{"petId":1,"quantity":${100 + index},`)
    await expect(inventory).toHaveReceived('updateInventory', { body: { quantity: 100 + index }, times: 1 })
    await expect(inventory).toHaveStock(1, 100 + index)
  })
}

test.describe('with options', () => {
  test.use({ mockOptions: { fixture: 'sold-out', apiKeys: ['secret'], baseUrl: 'https://api.petstore.example/v1' } })

  test('the mock is made with them', async ({ sendFromPage, inventory, shop }) => {
    expect((await sendFromPage('/inventory')).status).toBe(401)
    const answer = await sendFromPage('/inventory', { headers: { authorization: `Bearer ${inventory.apiKey}` } })
    expect(answer.body).toContain('"status":"sold"')
    expect((await sendFromPage(`${shop.url}/v1/inventory`)).body).toContain('Shop')
  })
})

test('a test without a page has a mock, too', async ({ inventory }) => {
  const answer = await inventory.fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
  expect(await answer.json()).toHaveLength(10)
})
