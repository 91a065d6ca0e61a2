import type { Page } from 'playwright'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { useChromium } from '../browser/connect-chromium.ts'
import { describeEngines, type GetEngine } from '../browser/engines/describe-engines.ts'
import { ENGINES, type EnginePage, KEYS } from '../browser/engines/engine.ts'
import { type App, type Change, openApp } from '../tabs/open-app.ts'
import { openContext } from './engine-page.ts'
import { findFaults } from './find-faults.ts'
import { openPage } from './open-console.ts'

const browser = useChromium()

const START: Change = (text) => text.replace('{ persist: true }', '{ persist: true, panel: true }')
const REMOTE = `import { mountPanel } from 'petstore-mock/browser'
import { connectMock } from 'petstore-mock/client'
await mountPanel(connectMock(location.origin, { sandbox: 'a' }))`
const FOREIGN =
  'Mock server unreachable. The page can only use it through its own server: let that proxy /v1 and /_mock, and call connectMock(location.origin).'
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
  const page = await openPage(browser(), app.url, { viewport: { width: 1280, height: 800 } })
  await page.goto(app.url)
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

/** Finds an element of the panel by its label, its text or its class, in a page of any engine. */
function part(name: string) {
  return new Function(`
    const all = document.querySelector('petstore-mock-panel')?.shadowRoot.querySelectorAll('*') ?? []
    const isNamed = (each) => [each.ariaLabel, each.className, each.innerText?.trim()].includes(${JSON.stringify(name)})
    return [...all].findLast((each) => isNamed(each) && each.checkVisibility())`) as () => HTMLElement | undefined
}

/** Resolves when the panel has such a part. */
async function see(page: EnginePage, name: string): Promise<void> {
  await page.waitFor(new Function(`return (${part(name)})() !== undefined`) as () => boolean)
}

async function change(page: EnginePage, before: number, after: number): Promise<void> {
  await page.click(part(`${before} of pet 1 in stock, change`))
  await page.fill(part('In stock of pet 1'), String(after))
  await page.type(KEYS.enter)
  await see(page, `${after} of pet 1 in stock, change`)
}

async function openPart(getEngine: GetEngine, edits: Readonly<Record<string, Change>>): Promise<EnginePage> {
  const app = await openApp('react', edits)
  onTestFinished(() => app[Symbol.asyncDispose]())
  const page = await (await openContext(getEngine)).newPage()
  await page.setViewport({ width: 1280, height: 800 })
  await page.goto(app.url)
  await see(page, 'Mock')
  return page
}

/** Runs in the page: what its heading looks like, and what else could be changed. */
function survey() {
  const { cssText: _, ...style } = getComputedStyle(document.querySelector('h1') ?? document.body)
  return [location.href, document.title, document.activeElement?.tagName, ...Object.values(style)]
}

/** Runs in the page: the part of the panel that has the focus, and what is typed there. */
function findFocus() {
  const { activeElement } = document.querySelector('petstore-mock-panel')?.shadowRoot ?? document
  const { ariaLabel, textContent, value = '' } = (activeElement ?? {}) as HTMLInputElement
  return `${ariaLabel ?? textContent}: ${value}`
}

describeEngines(
  'the panel',
  (getEngine) => {
    test('shows and changes the mock of a page, whose focus, styles, keys, title and URL stay', async () => {
      const page = await openPart(getEngine, {
        'src/mock.ts': START,
        'index.html': (text) =>
          text.replace('</head>', `${HOSTILE}</head>`).replace('<body>', '<body><textarea autofocus>Notes</textarea>'),
      })
      const list = () =>
        fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } }).then((answer) => answer.text())
      await page.click(part('Mock'))
      await see(page, 'Live')
      await page.reload()
      await page.waitFor(() => document.activeElement?.tagName === 'TEXTAREA')
      await see(page, 'Live')
      const before = await page.evaluate(survey)
      await change(page, 12, 41)
      await change(page, 41, 42)
      expect(await page.evaluate(list)).toContain('"petId":1,"quantity":42,')

      await page.evaluate(() => addEventListener('keydown', ({ key }) => (document.body.dataset['keys'] += key)))
      await page.type('/')
      expect(await page.evaluate(findFocus)).toBe('Find requests: ')
      await page.type('4xx')
      expect(await page.evaluate(findFocus)).toBe('Find requests: 4xx')
      await page.type(KEYS.escape)
      expect(await page.evaluate(findFocus)).toBe('Find requests: ')
      await page.evaluate(() => document.querySelector('textarea')?.focus())
      expect(await page.evaluate(survey)).toEqual(before)
      await page.type('/')
      const undo = () => {
        const init = { key: 'z', ctrlKey: true, bubbles: true, cancelable: true }
        const isLeft = document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', init))
        return [document.querySelector('textarea')?.value.includes('/'), isLeft, document.body.dataset['keys']]
      }
      expect(await page.evaluate(undo)).toEqual([true, true, 'undefined/z'])
      await page.click(part('Undo'))
      await see(page, '41 of pet 1 in stock, change')
      expect(await page.evaluate(list)).toContain('"petId":1,"quantity":41,')
      await page.type(KEYS.escape)
      expect(await page.evaluate(findFocus)).toBe('Mock: ')
    })

    test('of a mock elsewhere begins with its sandbox, and opens others', async () => {
      const mock = createMock()
      await using server = await serve(mock)
      const proxy = JSON.stringify({ '/v1': server.url, '/_mock': { target: server.url, changeOrigin: false } })
      const page = await openPart(getEngine, {
        'vite.config.ts': (text) => text.replace('({', `({ server: { proxy: ${proxy} },`),
        'src/mock.ts': () => REMOTE,
      })
      const read = () => ['a', 'default', 'b'].map((name) => mock.sandbox(name).inventory.get(1)?.quantity)
      await page.click(part('Mock'))
      await see(page, 'Live')
      await change(page, 12, 64)
      for (const name of ['default', 'b']) {
        await page.fill(part('sandbox'), name)
        await page.type(KEYS.enter)
        await change(page, 12, 41)
      }
      expect(read()).toEqual([64, 41, 41])
    })

    test('of a mock at another origin says how the page reaches it', async () => {
      await using server = await serve(createMock())
      const url = JSON.stringify(server.url)
      const page = await openPart(getEngine, { 'src/mock.ts': () => REMOTE.replace('location.origin', url) })
      await page.click(part('Mock'))
      await see(page, FOREIGN)
    })
  },
  ['chromium', ...ENGINES],
)

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

  test('is there once after each hot update', async () => {
    const { app, page } = await openReact()
    await open(page)
    for (const title of ['Edited', 'Edited again']) {
      await app.edit('src/mock.ts', (text) => `${text}document.title = '${title}'\n`)
      await expect.poll(() => page.title()).toBe(title)
    }
    await page.getByText('Live', { exact: true }).waitFor()
  })

  test.each([
    [1280, 16],
    [360, 16],
    [360, 32],
  ])(
    'is accessible, below its button, and has room for all: %i px wide, with a font of %i px',
    async (width, standard) => {
      const { page } = await openReact()
      const session = await page.context().newCDPSession(page)
      await session.send('Page.setFontSizes', { fontSizes: { standard } })
      await page.setViewportSize({ width, height: 740 })
      await page.reload()
      await open(page)
      const boxOf = (name: string) => page.locator(name).boundingBox()
      expect(await findFaults(page)).toEqual([])
      const y = width === 360 ? standard * 2 : expect.any(Number)
      expect(await boxOf('.in-page')).toMatchObject({ x: 0, y, width })
      expect((await boxOf('.content'))?.height).toBeGreaterThan(300)
      const isWide = (all: Element[]) =>
        all.filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.outerHTML)
      expect(await page.locator('.panel-content *').evaluateAll(isWide)).toEqual([])
    },
  )

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
  for (const name of names)
    expect(await app.read(`dist/assets/${name}`)).not.toMatch(/Enter a key that the mock|in-page-open/)
})
