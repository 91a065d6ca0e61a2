import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright'
import { describe, expect, onTestFinished, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { damage } from './damage.ts'
import { book, openDemo, seeStock } from './open-demo.ts'

const browser = useChromium()

const ASIDE = 'The changes of an earlier visit cannot be read.'

test('a demo opened from a file says that it needs a server', async () => {
  const page = await browser().newPage()
  onTestFinished(() => page.context().close())
  await page.goto(pathToFileURL('dist/demo/index.html').href)
  // The words come only when the page could have started.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish()
  })
  await page.getByText('web server').waitFor()
})

describe('what was kept and cannot be used is set aside, with a message, and the demo begins with its seed', () => {
  test.each([['damaged', '{"version":5,"seeds":[],"sandboxes":[]', 'is not JSON']])(
    'a state %s',
    async (_title, text, reason) => {
      const demo = await openDemo(browser())
      await book(demo.page, 1, 64)
      await damage(demo, text)
      const { page } = demo
      await page.getByText(ASIDE).waitFor()
      expect((await page.consoleMessages()).map((message) => message.text()).join()).toContain(reason)
      await seeStock(page, 1, 12)
      await book(page, 1, 65)
      await page.reload()
      await seeStock(page, 1, 65)
      expect(await page.getByText(ASIDE).count()).toBe(0)
    },
  )
})

describe('where the mock cannot run a sentence says why, and the page is never blank', () => {
  test('without service workers, as in some private windows', async () => {
    const before = (): void => void Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')
    const { page } = await openDemo(browser(), { before })
    await seeFailure(page, /has no service workers/)
  })

  test('with a file missing on the server; and it starts when the file is there', async () => {
    const { page, site } = await openDemo(browser(), { missing: 'worker.js' })
    await seeFailure(page, /there is no script at http:\/\/localhost:\d+\/worker\.js \(HTTP 404\)/)
    site.restore()
    await page.getByRole('button', { name: 'Try again' }).click()
    await seeStock(page, 1, 12)
  })
})

/** A visitor reads what the demo needs, and whoever builds it the reason, in the browser's console. */
async function seeFailure(page: Page, reason: RegExp): Promise<void> {
  await page.getByRole('heading', { name: 'The demo cannot run here' }).waitFor()
  expect(await page.getByRole('main').innerText()).toContain('a window that is not private')
  expect((await page.consoleMessages()).map((message) => message.text()).join()).toMatch(reason)
  expect(await page.locator('#console').isVisible()).toBe(false)
}
