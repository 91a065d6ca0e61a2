import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { findFaults, findOverflow, LOOKS } from '../../../console/find-faults.ts'
import { book, type DemoSetup, openDemo, seeStock } from '../../../demo/open-demo.ts'

const browser = useChromium()

/** A view of the demo, and how one comes to it. */
interface View {
  readonly name: string
  readonly setup?: DemoSetup
  readonly go: (page: Page) => Promise<unknown>
}

const VIEWS: readonly View[] = [
  {
    name: 'with changes',
    go: (page) => book(page, 1, 64),
  },
  {
    name: 'at its last step, with sales that wait',
    setup: { path: '#step=3' },
    go: (page) => page.getByText('orders wait until we are back.').waitFor(),
  },
  {
    name: 'where nothing can be kept',
    setup: { before: () => void Object.defineProperty(globalThis, 'indexedDB', { value: undefined }) },
    async go(page) {
      await page.getByText('Changes are no longer kept.').waitFor()
      await seeStock(page, 1, 12)
    },
  },
  {
    name: 'where it cannot run',
    setup: { missing: 'worker.js' },
    go: (page) => page.getByRole('heading', { name: 'The demo cannot run here' }).waitFor(),
  },
]

describe.each(LOOKS)('the demo, $colorScheme and $width px wide', ({ colorScheme, width }) => {
  test.each(VIEWS)('$name', async ({ setup, go }) => {
    const { page } = await openDemo(browser(), { ...setup, context: { colorScheme, viewport: { width, height: 900 } } })
    await go(page)
    expect(await findFaults(page)).toEqual([])
    expect(await findOverflow(page)).toBe(0)
  })
})
