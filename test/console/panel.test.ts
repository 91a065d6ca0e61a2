import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { type Change, openApp } from '../tabs/open-app.ts'
import { describePanel } from './describe-panel.ts'
import { openPanel, openReact, START, toggleOf } from './open-panel.ts'

const browser = useChromium()

const POLICY = `<meta http-equiv="Content-Security-Policy" content="style-src 'none'; require-trusted-types-for 'script'">`

describePanel(['chromium'])

describe('the panel in a page of Vite and React', () => {
  test('is loaded when it is opened, shows and changes what the page has, and is as it was left after a reload', async () => {
    const { page } = await openReact(browser())
    const isLoaded = () =>
      page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => /mount-console/.test(name)))
    const heightOf = async () => (await page.locator('.panel-content').boundingBox())?.height
    expect(await isLoaded()).toBe(false)
    await openPanel(page)
    expect(await isLoaded()).toBe(true)
    await page.getByRole('button', { name: 'Pet 1: 12 left' }).click()
    await page.getByRole('button', { name: /PATCH \/v1\/inventory\/1 200/ }).waitFor()
    const edge = page.getByRole('separator', { name: 'Height' })
    await edge.press('ArrowDown')
    expect(await heightOf()).toBe(448)
    await edge.hover()
    await page.mouse.down()
    await page.mouse.move(300, 500)
    await page.mouse.up()
    await page.reload()
    await page.getByRole('button', { name: 'Pet 1: 13 left' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    expect(await heightOf()).toBe(300)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    await toggleOf(page).click()
    await page.reload()
    await toggleOf(page).waitFor()
    expect(await heightOf()).toBeUndefined()
  })

  test('needs no service worker, no inline style and no text that becomes HTML', async () => {
    const { page } = await openReact(browser(), {
      'src/mock.ts': (text) => START(text).replace('panel', "mode: 'page', panel"),
      'index.html': (text) => text.replace('<head>', `<head>${POLICY}`),
    })
    await openPanel(page)
    const position = await page.locator('.in-page').evaluate((element) => getComputedStyle(element).position)
    expect(position).toBe('fixed')
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
