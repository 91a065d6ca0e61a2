import type { Page } from 'playwright'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { type App, type Change, openApp } from '../tabs/open-app.ts'
import { edit, openPage, startBrowser, stockOf } from './open-console.ts'

const browser = startBrowser()

const START: Change = (text) => text.replace('{ persist: true }', '{ persist: true, panel: true }')
const REMOTE = `import { mountPanel } from 'petstore-mock/browser'
import { connectMock } from 'petstore-mock/client'
await mountPanel(connectMock(location.origin, { sandbox: 'a' }))`
/** Rules that would disfigure whatever they reach. */
const HOSTILE = `<style>
  html { font-size: 40px; --ink: red; direction: rtl }
  * { font-family: fantasy !important; color: red !important; letter-spacing: 9px; display: block }
  :empty { display: none !important }
</style>`
const POLICY = `<meta http-equiv="Content-Security-Policy" content="style-src 'none'; require-trusted-types-for 'script'">`

async function openReact(edits: Readonly<Record<string, Change>> = {}): Promise<{ app: App; page: Page }> {
  const app = await openApp('react', { 'src/mock.ts': START, ...edits })
  onTestFinished(() => app[Symbol.asyncDispose]())
  const page = await openPage(browser(), { url: app.url, context: { viewport: { width: 1280, height: 800 } } })
  await toggleOf(page).waitFor()
  return { app, page }
}

function toggleOf(page: Page) {
  return page.getByRole('button', { name: 'Mock', exact: true })
}

async function open(page: Page): Promise<void> {
  await toggleOf(page).click()
  await page.getByText('Live', { exact: true }).waitFor()
}

/** Runs in the page: what its heading looks like, and what could be changed. */
function survey() {
  const { cssText: _, ...style } = getComputedStyle(document.querySelector('h1') ?? document.body)
  return [location.href, document.title, ...Object.values(style)]
}

describe('the panel in a page of Vite and React', () => {
  test('is loaded when it is opened, shows and changes what the page has, and is as it was left after a reload', async () => {
    const { page } = await openReact()
    const isLoaded = () =>
      page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => /mount-console/.test(name)))
    const heightOf = async () => (await page.locator('.panel-content').boundingBox())?.height
    expect(await isLoaded()).toBe(false)
    await open(page)
    expect(await isLoaded()).toBe(true)
    await page.getByRole('button', { name: 'Pet 1: 12 left' }).click()
    await page.getByRole('button', { name: /PATCH \/v1\/inventory\/1 200/ }).waitFor()
    await edit(page, 1, '41')
    await page.getByText('Pet 1 has 41 in stock').waitFor()
    const edge = page.getByRole('separator', { name: 'Height' })
    await edge.press('ArrowDown')
    expect(await heightOf()).toBe(448)
    await edge.hover()
    await page.mouse.down()
    await page.mouse.move(300, 500)
    await page.mouse.up()
    await page.reload()
    await page.getByRole('button', { name: 'Pet 1: 41 left' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    expect(await heightOf()).toBe(300)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    await toggleOf(page).click()
    await page.reload()
    await toggleOf(page).waitFor()
    expect(await heightOf()).toBeUndefined()
  })

  test('neither changes the page nor is changed by it', async () => {
    const { page } = await openReact({ 'index.html': (text) => text.replace('</head>', `${HOSTILE}</head>`) })
    const before = await page.evaluate(survey)
    await open(page)
    await stockOf(page, 1).waitFor()
    expect(await page.evaluate(survey)).toEqual(before)
    const style = await page.getByRole('heading', { name: 'Stockroom' }).evaluate((element) => {
      const { fontSize, color, letterSpacing, direction, fontFamily } = getComputedStyle(element)
      return [fontSize, color, letterSpacing, direction, fontFamily.includes('fantasy')]
    })
    expect(style).toEqual(['15px', 'rgb(23, 27, 33)', 'normal', 'ltr', false])
  })

  test('has its own keys, and the page has all others', async () => {
    const { page } = await openReact({ 'index.html': (text) => text.replace('<body>', '<body><textarea></textarea>') })
    await page.evaluate(() => addEventListener('keydown', ({ key }) => (document.title += key)))
    await open(page)
    await page.locator('textarea').press('/')
    expect(await page.locator('textarea').inputValue()).toBe('/')
    await stockOf(page, 1).press('/')
    const find = page.getByLabel('Find requests')
    await expect.poll(() => find.evaluate((element) => element.matches(':focus'))).toBe(true)
    await page.keyboard.type('4xx')
    await page.keyboard.press('Escape')
    expect(await find.inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await find.waitFor({ state: 'hidden' })
    expect(await toggleOf(page).evaluate((element) => element.matches(':focus'))).toBe(true)
    expect(await page.title()).toMatch(/[^4]\/$/)
  })

  test('is there once after each hot update, and fills a phone, below its button', async () => {
    const { app, page } = await openReact()
    await open(page)
    for (const title of ['Edited', 'Edited again']) {
      await app.edit('src/mock.ts', (text) => `${text}document.title = '${title}'\n`)
      await expect.poll(() => page.title()).toBe(title)
    }
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByText('Live', { exact: true }).waitFor()
    const box = await page.getByRole('region', { name: 'petstore-mock' }).boundingBox()
    expect(box).toEqual({ x: 0, y: 32, width: 360, height: 708 })
    expect(await page.locator('.panel-content').evaluate((element) => element.scrollWidth)).toBe(360)
  })

  test('shows a mock elsewhere, in its sandbox', async () => {
    const mock = createMock()
    await using server = await serve(mock)
    const proxy = JSON.stringify({ '/v1': server.url, '/_mock': { target: server.url, changeOrigin: false } })
    const { page } = await openReact({
      'vite.config.ts': (text) => text.replace('({', `({ server: { proxy: ${proxy} },`),
      'src/mock.ts': () => REMOTE,
    })
    await open(page)
    await edit(page, 1, '64')
    await page.getByText('Pet 1 has 64 in stock').waitFor()
    expect([mock, mock.sandbox('a')].map(({ inventory }) => inventory.get(1)?.quantity)).toEqual([12, 64])
  })

  test('needs no service worker, no inline style and no text that becomes HTML', async () => {
    const { page } = await openReact({
      'src/mock.ts': (text) => START(text).replace('panel', "mode: 'page', panel"),
      'index.html': (text) => text.replace('<head>', `<head>${POLICY}`),
    })
    await open(page)
    const position = await page.locator('.in-page').evaluate((element) => getComputedStyle(element).position)
    expect(position).toBe('fixed')
  })
})

test.each([
  ['without the panel', {}],
  ['with panel: true', { 'src/mock.ts': START }],
])('a production build %s has nothing of the console', async (_title, edits) => {
  const eager: Change = (text) => text.replace('if (import.meta.env.DEV) ', '')
  await using app = await openApp('react', { 'src/main.tsx': eager, ...edits })
  const names = await app.build()
  expect(names.filter((name) => /^(panel|mount-console)/.test(name))).toEqual([])
  for (const name of names) expect(await app.read(`dist/assets/${name}`)).not.toMatch(/Stockroom|in-page-open/)
})
