import { request } from 'node:http'
import { expect, type MockServer, serverTest as test } from '../../../src/testing/playwright.ts'
import { test as testWithBaggage } from './baggage.ts'
import { send, serveSite, toUpdate } from './shop.ts'

for (let index = 0; index < 2; index += 1) {
  test(`test ${index} has the server's pets to itself, with everybody's key`, async ({
    page,
    inventory,
    mockServer,
  }) => {
    expect((await inventory.inventory.get(1))?.quantity).toBe(12)
    await page.goto('/')
    const url = `${mockServer.url}/v1/inventory`
    expect((await send(page, `${url}/1`, toUpdate(100 + index))).status).toBe(200)
    expect((await send(page, url)).body).toContain(`{"petId":1,"quantity":${100 + index},`)
    await expect(inventory).toHaveReceived('updateInventory', { body: { quantity: 100 + index }, times: 1 })
    await expect(inventory).toHaveStock(1, 100 + index)
  })
}

test('other keys, and requests without one, stay as they are', async ({ page, inventory, mockServer }) => {
  await page.goto('/')
  const url = `${mockServer.url}/v1/inventory`
  expect((await send(page, url, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
  expect((await send(page, url, { headers: { authorization: '' } })).status).toBe(401)
  await expect(inventory).not.toHaveReceived('listInventory')
})

test('the controls act on what the page sees', async ({ page, inventory, mockServer }) => {
  await page.goto('/')
  await inventory.faults.add({ status: 503, retryAfter: 7, times: 1 })
  const url = `${mockServer.url}/v1/inventory`
  expect(await send(page, url)).toMatchObject({ status: 503, headers: { 'retry-after': '7' } })
  await inventory.load('empty')
  expect((await send(page, url)).body).toBe('[]')
})

test('a site may pass requests on to the server', async ({ page, inventory, mockServer }) => {
  await using site = await serveSite((incoming, response) => {
    if (!incoming.url?.startsWith('/v1/')) return response.setHeader('content-type', 'text/html').end('Shop')
    const { method = 'GET', headers, url } = incoming
    const passed = request(mockServer.url + url, { method, headers }, (answer) => answer.pipe(response))
    return incoming.pipe(passed)
  })
  await page.goto(site.url)
  await send(page, `${site.url}/v1/inventory/1`, toUpdate(5))
  await expect(inventory).toHaveStock(1, 5)
})

testWithBaggage('a server that passes baggage on sees the sandbox, too', async ({ page, inventory, mockServer }) => {
  await using site = await serveSite(async ({ headers: { baggage } }, response) => {
    const headers = { authorization: 'Bearer demo-key', baggage: String(baggage) }
    const answer = await fetch(`${mockServer.url}/v1/inventory`, { headers })
    response.setHeader('content-type', 'text/html').end(await answer.text())
  })
  await inventory.inventory.set(1, { quantity: 77 })
  await page.goto(site.url)
  await expect(page.getByText('{"petId":1,"quantity":77,')).toBeVisible()
})

test.describe('afterwards', () => {
  let name = ''
  let server: MockServer
  // After the test and its fixtures.
  test.afterAll(async () => {
    const headers = { 'x-mock-control-token': server.controlToken ?? '' }
    const answer = await fetch(`${server.url}/_mock/sandboxes`, { headers })
    expect(answer.status).toBe(200)
    expect(await answer.text()).not.toContain(name)
  })

  test('the sandbox is forgotten, also where a page goes on asking', async ({ page, inventory, mockServer }) => {
    name = inventory.name
    server = mockServer
    expect(name).toMatch(/^the-sandbox-is-forgotten-also-where-a-pa-[0-9a-f]{8}$/)
    await page.goto('/')
    await page.evaluate((url) => {
      const headers = { authorization: 'Bearer demo-key' }
      setInterval(() => fetch(`${url}/v1/inventory`, { headers }).catch(() => {}), 50)
    }, mockServer.url)
    await expect(inventory).toHaveReceived('listInventory')
  })
})
