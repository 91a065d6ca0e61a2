import { HttpResponse, http } from 'msw'
import { expect, routeRequests } from '../../../src/testing/playwright.ts'
import { send, test, toUpdate } from './shop.ts'

test('the service is answered at every origin, and the control API beside it', async ({ sendFromPage, shop }) => {
  for (const origin of [shop.url, 'https://api.petstore.example']) {
    expect((await sendFromPage(`${origin}/v1/inventory`)).status).toBe(200)
    expect(JSON.parse((await sendFromPage(`${origin}/_mock/health`)).body ?? '')).toMatchObject({ pets: 10 })
  }
  expect(shop.asked).toEqual([])
})

test('everything else goes to the network', async ({ sendFromPage, shop }) => {
  expect((await sendFromPage(`${shop.url}/v2/inventory`)).body).toContain('Shop')
  expect((await sendFromPage('https://elsewhere.example/')).error).toBe('TypeError: Failed to fetch')
})

test('a page of another origin reads the headers of the service', async ({ sendFromPage }) => {
  const { headers } = await sendFromPage('/inventory', { headers: { authorization: 'Bearer wrong' } })
  expect(headers).toMatchObject({ 'www-authenticate': 'Bearer realm="petstore", error="invalid_token"' })
  expect((await sendFromPage('/inventory', { method: 'DELETE' })).headers).toMatchObject({ allow: 'GET, HEAD' })
})

test('handlers of the user’s own answer, with cookies', async ({ sendFromPage, inventory, context, shop }) => {
  inventory.use(
    http.get('*/v1/pets/7', () =>
      HttpResponse.text('Rex', {
        headers: [
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ],
      }),
    ),
    http.get('*/v1/pets/8', () => HttpResponse.error()),
  )
  expect((await sendFromPage('/pets/8')).error).toBe('TypeError: Failed to fetch')
  expect((await sendFromPage(`${shop.url}/v1/pets/7`)).body).toBe('Rex')
  expect((await context.cookies()).map(({ name }) => name).sort()).toEqual(['a', 'b'])
})

test('a context of the test’s own is answered until it is stopped', async ({ browser, inventory, shop }) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(shop.url)
  const routing = await routeRequests(inventory, context)
  await send(page, '/inventory/1', toUpdate(5))
  await expect(inventory).toHaveStock(1, 5)
  await routing.stop()
  await routing.stop()
  expect((await send(page, `${shop.url}/v1/inventory`)).body).toContain('Shop')
  expect(shop.asked).toEqual(['GET /v1/inventory'])
  await context.close()
})

test('one page alone can be answered', async ({ browser, inventory, shop }) => {
  const context = await browser.newContext()
  const [answered, other] = [await context.newPage(), await context.newPage()]
  await routeRequests(inventory, answered)
  for (const page of [answered, other]) await page.goto(shop.url)
  expect((await send(answered, `${shop.url}/v1/inventory`)).body).toContain('"petId":1')
  expect((await send(other, `${shop.url}/v1/inventory`)).body).toContain('Shop')
  await context.close()
})
