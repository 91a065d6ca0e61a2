import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { openRequest } from '../console/open-console.ts'
import { openDemo, seeStock } from './open-demo.ts'

const browser = useChromium()

test('without a network the demo works in a folder of a site, of which nothing else is touched', async () => {
  const demo = await openDemo(browser(), { folder: '/some/folder/' })
  const { page, site } = demo
  await seeStock(page, 1, 12)
  await page.evaluate(() => {
    const headers = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }
    return fetch('v1/inventory/1', { method: 'PATCH', headers, body: '{"quantity":64}' })
  })
  await seeStock(page, 1, 64)
  const details = await openRequest(page, 'PATCH /some/folder/v1/inventory/1', 200)
  await details.getByRole('button', { name: 'Send again' }).click()
  await page.getByText(/^Sent again: 200/).waitFor()
  expect(await statusOf(page, '/v1/inventory')).toBe(404)
  expect(site.log.filter((line) => line.startsWith('404'))).toEqual(['404 /v1/inventory'])
  await demo.unplug()
  await page.reload()
  await seeStock(page, 1, 64)
  await seeStock(await demo.openTab('index.html?sandbox=other'), 1, 12)
})

function statusOf(page: Page, path: string): Promise<number> {
  return page.evaluate(async (url) => (await fetch(url)).status, path)
}
