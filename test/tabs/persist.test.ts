import { type BrowserContext, chromium, type Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { findChromium } from '../browser/chromium.ts'
import { makeFolder } from '../cli/state-folder.ts'
import { createTabs } from './create-tabs.ts'
import { describePersist } from './describe-persist.ts'

const tabs = createTabs()
const { openTab, startIn, list, readQuantities, url } = tabs

describePersist('worker', tabs)

describe('persist', () => {
  test('answers an update when it is stored', async () => {
    const page = await openTab()
    const unstored = await page.evaluate(async () => {
      const { transaction } = IDBDatabase.prototype
      let open = 0
      IDBDatabase.prototype.transaction = function (...args) {
        const opened = transaction.apply(this, args)
        open += 1
        opened.addEventListener('complete', () => (open -= 1))
        return opened
      }
      await tab.update(1, 99)
      return open
    })
    expect(unstored).toBe(0)
  })

  test('of two tabs that change their states at the same time, the later one wins as a whole', async () => {
    const [one, two] = [await openTab(), await openTab()]
    // Both wait for the database, and so neither knows of the change of the other.
    await one.evaluate(() => tab.database.hold())
    await one.evaluate(() => void tab.mock.inventory.set(1, { quantity: 99 }))
    await two.evaluate(() => void tab.mock.inventory.set(2, { quantity: 98 }))
    await one.evaluate(() => tab.database.release())
    await list(one)
    await list(two)
    const all = [await readQuantities(one), await readQuantities(two), await readQuantities(await openTab())]
    expect(all).toEqual(Array(3).fill(all[0]))
    expect(all[0]?.slice(0, 2)).toEqual([12, 98])
  })

  test('a change that is made while a newer document is loaded stays', async () => {
    const [one, two] = [await openTab(), await openTab()]
    await two.evaluate(() => tab.update(2, 98))
    await one.evaluate(() => {
      const { get } = IDBObjectStore.prototype
      IDBObjectStore.prototype.get = function (key) {
        if (key === 'text') tab.mock.inventory.set(1, { quantity: 99 })
        return get.call(this, key)
      }
    })
    expect(await readQuantities(one, 1)).toEqual([99])
    expect(await readQuantities(two, 1)).toEqual([99])
  })

  test('forget() starts again from the seed, in all tabs and after a reload', async () => {
    const [one, two] = [await openTab(), await openTab()]
    const seed = await list(one)
    await two.evaluate(() => tab.update(1, 99))
    await two.evaluate(() => tab.update(1, 98, 'other'))
    // It has nothing to reset itself.
    await one.evaluate(() => tab.worker.forget())
    expect([await list(two), await list(two, 'other')]).toEqual([seed, seed])
    expect(await two.evaluate(async () => (await tab.mock.fetch('/_mock/sandboxes')).json())).toHaveLength(2)
    expect([await list(await openTab()), await list(one, 'other')]).toEqual([seed, seed])
  })

  test('what is stored goes before the fixture of the page, until forget()', async () => {
    const first = await openTab()
    await first.evaluate(() => tab.update(1, 99))
    const other = await openTab({ mock: { fixture: 'low-stock' } })
    expect(await list(other)).toBe(await list(first))
    await other.evaluate(() => tab.worker.forget())
    const lowStock = await other.evaluate(() => tab.list('untouched'))
    expect([await list(other), await list(first)]).toEqual([lowStock, lowStock])
  })

  test('after stop() nothing is stored any more', async () => {
    const page = await openTab()
    await page.evaluate(async () => {
      await tab.update(1, 99)
      await tab.worker.stop()
      tab.mock.inventory.set(1, { quantity: 98 })
    })
    expect(await readQuantities(await openTab(), 1)).toEqual([99])
    await startIn(page)
    expect(await readQuantities(page, 1)).toEqual([99])
  })
})

test('a browser that is killed right after an answer has kept what was answered', async () => {
  const folder = await makeFolder()
  const first = await launch(folder)
  await first.page.evaluate(() => tab.update(1, 99))
  const closed = first.context.waitForEvent('close')
  const session = await first.context.newCDPSession(first.page)
  void session.send('Browser.crash' as never).catch(() => {})
  await closed
  const second = await launch(folder)
  expect(await readQuantities(second.page, 1)).toEqual([99])
  await second.context.close()
})

async function launch(folder: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await chromium.launchPersistentContext(folder, await findChromium())
  const page = await context.newPage()
  await page.goto(url())
  await startIn(page)
  return { context, page }
}
