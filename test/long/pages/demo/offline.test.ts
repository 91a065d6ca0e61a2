import { describe, expect, test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { ask, book, openDemo, QUIET, seeStock } from '../../../demo/open-demo.ts'
import { publishNewer, sendUnanswered } from './newer-build.ts'

const browser = useChromium()

describe('without a network', () => {
  test('two demos on one site keep apart what they keep', async () => {
    const demo = await openDemo(browser(), { folder: '/one/' })
    await book(demo.page, 1, 64)
    const other = await demo.openTab(`../two/${QUIET}`)
    await seeStock(other, 1, 12)
    await book(other, 1, 65)
    await demo.page.reload()
    await seeStock(demo.page, 1, 64)
    await demo.unplug()
    await other.reload()
    await seeStock(other, 1, 65)
  })

  test('a network that leaves it waiting does not keep it from starting', async () => {
    const { page, site } = await openDemo(browser())
    await book(page, 1, 64)
    site.fallSilent()
    await page.reload()
    await seeStock(page, 1, 64)
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

  test('is there at the next visit, and in a tab that waits for a response', async () => {
    const { page, site, openTab } = await openDemo(browser())
    await book(page, 1, 64)
    await page.evaluate(sendUnanswered)
    publishNewer(site)
    const later = await openTab()
    await later.locator('html[lang="en-GB"]').waitFor()
    await seeStock(later, 1, 64)
    await page.locator('html[lang="en-GB"]').waitFor()
    await seeStock(page, 1, 64)
  })
})
