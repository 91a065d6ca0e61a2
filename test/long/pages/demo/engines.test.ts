import { test } from 'vitest'
import { describeEngines } from '../../../browser/engines/describe-engines.ts'
import { book, button, openContext, seeStock, seeText } from '../../../console/engine-page.ts'
import { QUIET } from '../../../demo/open-demo.ts'
import { serveFolder } from '../../../demo/serve-folder.ts'
import { publishNewer, sendUnanswered } from './newer-build.ts'

describeEngines('the demo', (getEngine) => {
  test('is edited, and loaded again without a network, with what was changed', async () => {
    const site = await serveFolder()
    const context = await openContext(getEngine)
    const page = await context.newPage()
    await page.goto(site.url + QUIET)
    await seeText(page, 'Live')
    await book(page, 1, 64)
    await site.close()
    await page.reload()
    await seeStock(page, 1, 64)
    await book(page, 2, 65)
    await page.reload()
    await seeStock(page, 2, 65)
  })

  test('is shared between tabs: what one changes is there in the other', async () => {
    const site = await serveFolder()
    const context = await openContext(getEngine)
    const page = await context.newPage()
    await page.goto(site.url + QUIET)
    await book(page, 1, 64)
    const other = await context.newPage()
    await other.goto(site.url + QUIET)
    await seeStock(other, 1, 64)
    await book(other, 2, 65)
    await book(page, 3, 66)
    await seeStock(page, 2, 65)
    await book(other, 4, 67)
    await seeStock(other, 3, 66)
  })

  test('opens from a link of another profile with the stock and an outage, which the shop meets', async () => {
    const site = await serveFolder()
    const page = await (await openContext(getEngine)).newPage()
    await page.goto(site.url + QUIET)
    await book(page, 1, 64)
    await page.click(button('Outage 503'))
    await seeText(page, 'Every request: 503')
    await page.evaluate(() => {
      const { clipboard } = navigator
      const write = clipboard.write.bind(clipboard)
      clipboard.write = (items) => {
        void items[0]
          ?.getType('text/plain')
          .then(async (blob) => Object.assign(globalThis, { link: await blob.text() }))
        return write(items)
      }
    })
    await page.click(button('Save and share'))
    await page.click(button('Copy link'))
    await seeText(page, 'Link copied')
    const link = await page.waitFor(() => Reflect.get(globalThis, 'link') as string)
    const other = await (await openContext(getEngine)).newPage()
    await other.goto(link)
    await seeStock(other, 1, 64)
    await other.click(button('Sell'))
    await seeText(other, 'One order waits until we are back.')
  })

  test('leads through its steps to the end', async () => {
    const site = await serveFolder()
    const page = await (await openContext(getEngine)).newPage()
    await page.goto(site.url)
    // Before that, the buttons are disabled.
    await seeText(page, 'Goldfish')
    for (const words of ['Sell one', 'Break the service', 'Repair the service']) {
      await seeText(page, words)
      await page.click(button(words))
    }
    await seeText(page, 'every order that waited is saved')
  })

  test('is of the newer build after a reload that cut off a request', async () => {
    const site = await serveFolder()
    const page = await (await openContext(getEngine)).newPage()
    await page.goto(site.url + QUIET)
    await book(page, 1, 64)
    await page.evaluate(sendUnanswered)
    publishNewer(site)
    await page.reload()
    await page.waitFor(() => document.documentElement.lang === 'en-GB')
    await seeStock(page, 1, 64)
  })
})
