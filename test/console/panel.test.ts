import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { type Change, openApp } from '../tabs/open-app.ts'
import { describePanel } from './describe-panel.ts'
import { openPanel, openReact, START, tabOf } from './open-panel.ts'

const browser = useChromium()

const POLICY = `<meta http-equiv="Content-Security-Policy" content="style-src 'none'; require-trusted-types-for 'script'">`

const CHAT = '<button style="position: fixed; right: 16px; bottom: 16px; width: 56px; height: 56px">Chat</button>'

describePanel(['chromium'])

describe('the panel in a page of Vite and React', () => {
  test('needs no service worker, no inline style and no text that becomes HTML', async () => {
    const { page } = await openReact(browser(), {
      'src/mock.ts': (text) => START(text).replace('panel', "mode: 'page', panel"),
      'index.html': (text) => text.replace('<head>', `<head>${POLICY}`),
    })
    await openPanel(page)
    const position = await page.locator('.in-page').evaluate((element) => getComputedStyle(element).position)
    expect(position).toBe('fixed')
  })

  test('makes room for itself, below or beside the page, and its tab covers nothing and can be moved', async () => {
    const { page } = await openReact(browser(), {
      'index.html': (text) =>
        text.replace('</body>', `<p style="height: 900px"></p><p id="end">The end</p>${CHAT}</body>`),
    })
    const tab = tabOf(page)
    const boxOf = async (selector: string) => (await page.locator(selector).boundingBox()) ?? expect.fail(selector)
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 740 })
      // Playwright clicks only what nothing else covers.
      await page.getByRole('button', { name: 'Chat' }).click()
      await openPanel(page)
      await page.mouse.move(10, 10)
      await page.mouse.wheel(0, 9999)
      const isAbove = async () => (await boxOf('#end')).y + (await boxOf('#end')).height <= (await boxOf('.in-page')).y
      await expect.poll(isAbove).toBe(true)
      expect((await boxOf('.in-page')).y).toBe(370)
      if (width > 640) {
        await page.getByRole('button', { name: 'Dock right' }).click()
        await expect.poll(async () => (await boxOf('#end')).width).toBeLessThan(720)
        expect(await boxOf('.in-page')).toEqual({ x: 720, y: 0, width: 720, height: 740 })
      }
      await page.getByRole('button', { name: 'Close', exact: true }).click()
    }
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).padding)).toBe('0px')
    await tab.hover()
    await page.mouse.down()
    await page.mouse.move(350, 100, { steps: 3 })
    await page.mouse.up()
    expect(await tab.boundingBox()).toMatchObject({ y: expect.closeTo(86, 0) })
    expect(await tab.getAttribute('aria-expanded')).toBe('false')
  })
})

test('a production build with panel: true has nothing of the console', async () => {
  const eager: Change = (text) => text.replace('if (import.meta.env.DEV) ', '')
  await using app = await openApp('react', { 'src/main.tsx': eager, 'src/mock.ts': START })
  const names = await app.build()
  expect(names.filter((name) => /^(panel|mount-console)/.test(name))).toEqual([])
  for (const name of names)
    expect(await app.read(`dist/assets/${name}`)).not.toMatch(/Enter a key that the mock|in-page-open/)
})
