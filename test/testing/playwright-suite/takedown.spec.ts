import { expect, test } from '../../../src/testing/playwright.ts'
import { serveSite } from './shop.ts'

let site: Awaited<ReturnType<typeof serveSite>>
const asked: string[] = []
test.beforeAll(async () => {
  site = await serveSite(({ url = '' }, response) => {
    asked.push(url)
    response.setHeader('content-type', 'text/html').end('<title>Shop</title>')
  })
})
// After the test and its fixtures.
test.afterAll(async () => {
  await site[Symbol.asyncDispose]()
  expect(asked).toEqual(['/shop'])
})

test('a page that goes on asking while it is taken down never reaches the network', async ({ page, inventory }) => {
  await page.goto(`${site.url}/shop`)
  await page.evaluate(() => void setInterval(() => fetch('/v1/inventory').catch(() => {}), 0))
  await expect(inventory).toHaveReceived('listInventory')
})
