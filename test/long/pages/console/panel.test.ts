import { describe, expect, test } from 'vitest'
import { createMock } from '../../../../src/index.ts'
import { serve } from '../../../../src/runtimes/server.ts'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { describeEngines } from '../../../browser/engines/describe-engines.ts'
import { ENGINES } from '../../../browser/engines/engine.ts'
import { describePanel, openPart, part, REMOTE, see } from '../../../console/describe-panel.ts'
import { findFaults } from '../../../console/find-faults.ts'
import { openPanel, openReact, START, tabOf } from '../../../console/open-panel.ts'
import { type Change, openApp } from '../../../tabs/open-app.ts'

const browser = useChromium()

const FOREIGN =
  'Mock server unreachable. The page can only use it through its own server: let that proxy /v1 and /_mock, and call connectMock(location.origin).'

describePanel(ENGINES, ['worker', 'page'])

describeEngines(
  'the panel',
  (getEngine) => {
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
      await openPanel(page)
      expect(await findFaults(page)).toEqual([])
      expect(await page.locator('.in-page').boundingBox()).toEqual({ x: 0, y: 370, width, height: 370 })
      const isWide = (all: Element[]) =>
        all.filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.outerHTML)
      expect(await page.locator('.panel-content *').evaluateAll(isWide)).toEqual([])
    },
  )
})

test('a production build without the panel has nothing of the console', async () => {
  const eager: Change = (text) => text.replace('if (import.meta.env.DEV) ', '')
  await using app = await openApp('react', { 'src/main.tsx': eager })
  const names = await app.build()
  expect(names.filter((name) => /^(panel|mount-console)/.test(name))).toEqual([])
  for (const name of names) expect(await app.read(`dist/assets/${name}`)).not.toMatch(/Stockroom|in-page-open/)
})
