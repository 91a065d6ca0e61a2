import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { openRequest } from '../console/open-console.ts'
import { publishNewer } from './newer-build.ts'
import { ask, book, openDemo, seeStock } from './open-demo.ts'

const browser = useChromium()

describe('without a network', () => {
  test('so it is in a folder of a site, of which nothing else is touched', async () => {
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
})

describe('a newer build', () => {
  test('is there at the next visit, and in the tabs that are open, with the state; the old one leaves nothing behind', async () => {
    const { page, site, openTab } = await openDemo(browser())
    await book(page, 1, 64)
    publishNewer(site)
    const later = await openTab()
    await later.locator('html[lang="en-GB"]').waitFor()
    await seeStock(later, 1, 64)
    const caches = await later.evaluate(async () => globalThis.caches.keys())
    expect(caches.filter((name) => name.startsWith('petstore-mock demo'))).toEqual([
      expect.stringMatching(/ newbuild$/),
    ])
    await page.locator('html[lang="en-GB"]').waitFor()
    await seeStock(page, 1, 64)
    await book(page, 2, 65)
    await ask(later)
    await seeStock(later, 2, 65)
  })
})

function statusOf(page: Page, path: string): Promise<number> {
  return page.evaluate(async (url) => (await fetch(url)).status, path)
}
