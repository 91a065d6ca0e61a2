import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '../../../src/testing/playwright.ts'

let server: Server
const asked: string[] = []
test.beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.setHeader('content-type', 'text/html').end('<title>Shop</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
// After the test and its fixtures.
test.afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  expect(asked).toEqual(['/shop'])
})

test('a page that goes on asking while it is taken down never reaches the network', async ({ page, inventory }) => {
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/shop`)
  await page.evaluate(() => void setInterval(() => fetch('/v1/inventory').catch(() => {}), 0))
  await expect(inventory).toHaveReceived('listInventory')
})
