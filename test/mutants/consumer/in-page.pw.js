// Tests of Playwright Test with a mock in their process, whose client runs in a page: SUITE=careful playwright test
import { test } from 'petstore-mock/playwright'
import { createClient } from './client.js'
import { SUITES } from './suites.js'

const ORIGIN = 'https://shop.petstore.example'
let page, apiKey

test.beforeEach(async ({ page: opened, inventory }) => {
  page = opened
  apiKey = inventory.apiKey
  await page.route(`${ORIGIN}/`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>A shop</p>' }))
  await page.goto(ORIGIN)
})

async function fetchInPage(...request) {
  const [status, text] = await page.evaluate(async (args) => {
    const response = await fetch(...args)
    return [response.status, await response.text()]
  }, request)
  return new Response(text, { status })
}

SUITES[process.env['SUITE']](test, (key = apiKey) => createClient({ url: '/v1', key, fetch: fetchInPage }))
