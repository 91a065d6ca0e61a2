import { describe, expect, test } from 'vitest'
import { createMock } from '../../../../src/index.ts'
import { serve } from '../../../../src/runtimes/server.ts'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { describeEngines } from '../../../browser/engines/describe-engines.ts'
import { ENGINES, KEYS } from '../../../browser/engines/engine.ts'
import { change, describePanel, openPart, part, see } from '../../../console/describe-panel.ts'
import { findFaults } from '../../../console/find-faults.ts'
import { openPanel, openReact, START, tabOf } from '../../../console/open-panel.ts'
import { type Change, openApp } from '../../../tabs/open-app.ts'

const browser = useChromium()

/** A page whose mock is elsewhere. */
const REMOTE = `import { mountPanel } from 'petstore-mock/browser'
import { connectMock } from 'petstore-mock/client'
await mountPanel(connectMock(location.origin, { sandbox: 'a' }))`

const CHAT = '<button style="position: fixed; right: 16px; bottom: 16px; width: 56px; height: 56px">Chat</button>'

const FOREIGN =
  'Mock server unreachable. The page can only use it through its own server: let that proxy /v1 and /_mock, and call connectMock(location.origin).'

describePanel(ENGINES)

describeEngines(
  'the panel',
  (getEngine) => {
    test.each(['worker', 'page'])(
      'keeps its faults for a reload, whose first request meets them, until they are ended, in mode %s',
      async (mode) => {
        const page = await openPart(getEngine, {
          'src/mock.ts': (text) => START(text).replace('panel', `mode: '${mode}', panel`),
          'src/app.tsx': (text) =>
            text.replace(
              '.then(setPets)',
              '.then((pets) => (pets.code ? (document.title = pets.code) : setPets(pets)))',
            ),
        })
        const click = (name: string) => see(page, name).then(() => page.click(part(name)))
        for (const name of ['petstore-mock', 'Outage 503', 'Slow 1 s']) await click(name)
        await page.waitFor(() => {
          const { innerText } = document.querySelector('petstore-mock-panel')?.shadowRoot?.querySelector('ol') ?? {}
          return innerText?.includes('Faults set here stay after a reload') === true
        })
        await click('Close')
        await see(page, 'petstore-mock · 2 faults')
        await page.reload()
        await page.waitFor(() => document.title === 'service_unavailable')
        for (const name of ['petstore-mock · 2 faults', 'Remove all faults', 'Close']) await click(name)
        await page.waitFor(() => {
          const { shadowRoot } = document.querySelector('petstore-mock-panel') ?? {}
          return shadowRoot?.querySelector('.panel-tab')?.textContent === 'petstore-mock'
        })
        await page.reload()
        await page.waitFor(() => document.body.innerText.includes('Pet 1: 12 left'))
      },
    )

    test('of a mock elsewhere begins with its sandbox, and opens others', async () => {
      const mock = createMock()
      await using server = await serve(mock)
      const proxy = JSON.stringify({ '/v1': server.url, '/_mock': { target: server.url, changeOrigin: false } })
      const page = await openPart(getEngine, {
        'vite.config.ts': (text) => text.replace('({', `({ server: { proxy: ${proxy} },`),
        'src/mock.ts': () => REMOTE,
      })
      const read = () => ['a', 'default', 'b'].map((name) => mock.sandbox(name).inventory.get(1)?.quantity)
      await page.click(part('petstore-mock'))
      await see(page, 'Live')
      await change(page, 12, 64)
      for (const name of ['default', 'b']) {
        await page.fill(part('sandbox'), name)
        await page.type(KEYS.enter)
        await change(page, 12, 41)
      }
      expect(read()).toEqual([64, 41, 41])
    })

    test('leaves the end of the page in reach, below it and beside it', async () => {
      const page = await openPart(getEngine, {
        'src/mock.ts': START,
        'index.html': (text) => text.replace('</body>', '<p style="height: 2000px"></p><p id="end">The end</p></body>'),
      })
      await page.click(part('petstore-mock'))
      await see(page, 'Live')
      for (const name of ['Dock right', 'Dock below']) {
        await page.waitFor(() => {
          scrollTo(0, 1e6)
          const panel = document.querySelector('petstore-mock-panel')?.shadowRoot?.querySelector('.in-page')
          const [end, { x, y } = new DOMRect()] = [document.querySelector('#end'), panel?.getBoundingClientRect()]
          const { right = 0, bottom = 0 } = end?.getBoundingClientRect() ?? {}
          return bottom > 0 && bottom <= innerHeight && (x === 0 ? bottom <= y : right <= x)
        })
        await page.click(part(name))
      }
    })

    test('of a mock at another origin says how the page reaches it', async () => {
      await using server = await serve(createMock())
      const url = JSON.stringify(server.url)
      const page = await openPart(getEngine, { 'src/mock.ts': () => REMOTE.replace('location.origin', url) })
      await page.click(part('petstore-mock'))
      await see(page, FOREIGN)
    })
  },
  ['chromium', ...ENGINES],
)

describe('the panel in a page of Vite and React', () => {
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
      const isAbove = async () => {
        // Again until then, because the page may get its room after the wheel was turned.
        await page.mouse.wheel(0, 9999)
        return (await boxOf('#end')).y + (await boxOf('#end')).height <= (await boxOf('.in-page')).y
      }
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

  test('is loaded when it is opened, shows and changes what the page has, and is as it was left after a reload', async () => {
    const { page } = await openReact(browser())
    const isLoaded = () =>
      page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => /mount-console/.test(name)))
    const heightOf = async () => (await page.locator('.in-page').boundingBox())?.height
    expect(await isLoaded()).toBe(false)
    await openPanel(page)
    expect(await isLoaded()).toBe(true)
    await page.getByRole('button', { name: 'Pet 1: 12 left' }).click()
    await page.getByRole('button', { name: /PATCH \/v1\/inventory\/1 200/ }).waitFor()
    const edge = page.getByRole('separator', { name: 'Size' })
    await edge.press('ArrowDown')
    expect(await heightOf()).toBe(368)
    await edge.hover()
    await page.mouse.down()
    await page.mouse.move(300, 500)
    await page.mouse.up()
    await page.reload()
    await page.getByRole('button', { name: 'Pet 1: 13 left' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    expect(await heightOf()).toBe(300)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await tabOf(page).press('ArrowDown')
    const place = await tabOf(page).boundingBox()
    await page.reload()
    await tabOf(page).waitFor()
    expect(await tabOf(page).boundingBox()).toEqual(place)
    expect(await heightOf()).toBe(0)
  })

  test('is there once after each hot update, and shows the new mock', async () => {
    const { app, page } = await openReact(browser())
    await openPanel(page)
    // Vite drops an update of a module that still runs, and this one runs until the worker answers.
    await page.getByRole('button', { name: 'Pet 1: 12 left' }).waitFor()
    for (const title of ['Edited', 'Edited again']) {
      await app.edit('src/mock.ts', (text) => `${text}document.title = '${title}'\n`)
      await expect.poll(() => page.title()).toBe(title)
    }
    await page.getByText('Live', { exact: true }).waitFor()
    await app.edit('src/mock.ts', (text) =>
      text.replace('persist: true, ', '').replace('createMock()', "createMock({ fixture: 'empty' })"),
    )
    await page.getByText('No pets. Add some, or load a fixture.').waitFor()
    await app.edit('src/mock.ts', (text) => text.replace('panel: true', ''))
    await tabOf(page).waitFor({ state: 'detached' })
  })

  test.each([
    [1280, 16],
    [360, 16],
    [360, 32],
  ])(
    'is accessible, leaves half of the window, and has room for all: %i px wide, with a font of %i px',
    async (width, standard) => {
      const { page } = await openReact(browser())
      const session = await page.context().newCDPSession(page)
      await session.send('Page.setFontSizes', { fontSizes: { standard } })
      await page.setViewportSize({ width, height: 740 })
      await page.reload()
      // The panel is there before the page's own content.
      await page.getByRole('button', { name: 'Pet 1: 12 left' }).waitFor()
      await openPanel(page)
      expect(await findFaults(page)).toEqual([])
      expect(await page.locator('.in-page').boundingBox()).toEqual({ x: 0, y: 370, width, height: 370 })
      const isWide = (all: Element[]) =>
        all.filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.outerHTML)
      expect(await page.locator('.panel-content *').evaluateAll(isWide)).toEqual([])
    },
  )
})

test.each([
  ['with panel: true', START],
  ['without the panel', (text: string) => text],
])('a production build %s has nothing of the console', async (_, start) => {
  const eager: Change = (text) => text.replace('if (import.meta.env.DEV) ', '')
  await using app = await openApp('react', { 'src/main.tsx': eager, 'src/mock.ts': start })
  const names = await app.build()
  expect(names.filter((name) => /^(panel|mount-console)/.test(name))).toEqual([])
  for (const name of names)
    expect(await app.read(`dist/assets/${name}`)).not.toMatch(/Enter a key that the mock|in-page-open/)
})
