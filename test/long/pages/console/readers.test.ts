import type { Locator, Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { findFaults, findOverflow } from '../../../console/find-faults.ts'
import { edit, openConsole, openRequest, send, showRequests, stockOf } from '../../../console/open-console.ts'

const browser = useChromium()

/** How much of two pictures of the same size differs, from 0 to 1. */
async function compare(page: Page, [one, other]: readonly [Buffer, Buffer]): Promise<number> {
  return page.evaluate(
    async (pictures) => {
      const [a = [], b = []] = await Promise.all(
        pictures.map(async (base64) => {
          const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
          const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
          context?.drawImage(image, 0, 0)
          return Array.from(context?.getImageData(0, 0, image.width, image.height).data ?? [])
        }),
      )
      const isOther = (index: number): boolean =>
        [0, 1, 2].some((each) => Math.abs((a[index + each] ?? 0) - (b[index + each] ?? 0)) > 64)
      const count = a.length / 4
      return Array.from({ length: count }, (_, index) => isOther(index * 4)).filter(Boolean).length / count
    },
    [one.toString('base64'), other.toString('base64')],
  )
}

describe.each(['light', 'dark'] as const)('in forced colours, %s', (colorScheme) => {
  const context = { forcedColors: 'active', colorScheme, viewport: { width: 1440, height: 900 } } as const

  /** Takes the element's picture before and after, the pointer away from it. */
  async function change(
    page: Page,
    { element, act }: { element: Locator; act: () => Promise<unknown> },
  ): Promise<number> {
    const look = async (): Promise<Buffer> => {
      await page.mouse.move(0, 0)
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
      return element.screenshot()
    }
    const before = await look()
    await act()
    return compare(page, [before, await look()])
  }

  test('what is on looks other than what is off', async () => {
    const { page } = await openConsole(browser(), { context })
    const outage = page.getByRole('button', { name: 'Outage 503' })
    const switched = await change(page, {
      element: outage,
      async act() {
        await outage.click()
        await page.getByText('Every request: 503').waitFor()
      },
    })
    expect(switched).toBeGreaterThan(0.3)
    const chip = page.getByRole('button', { name: /^pending/ })
    expect(await change(page, { element: chip, act: () => chip.click() })).toBeGreaterThan(0.3)
  })

  test('marks and bars are seen, and no two of them look alike', async () => {
    const { page, mock } = await openConsole(browser(), { context })
    mock.inventory.set(3, { quantity: 5 })
    await page.locator('.bar-sold').waitFor()
    await page.locator('.bar').evaluateAll((bars: HTMLElement[]) => {
      for (const { style } of bars) style.width = '2rem'
    })
    for (const toSelector of [(status: string) => `.bar-${status}`, (status: string) => `.status-${status} svg`]) {
      const marks = ['available', 'pending', 'sold'].map((status) => page.locator(toSelector(status)).first())
      const pictures = await Promise.all(marks.map((each) => each.screenshot()))
      for (const [index, picture] of pictures.entries())
        expect(await compare(page, [picture, pictures.at(index - 1) as Buffer])).toBeGreaterThan(0.1)
    }
  })
})

describe.each([360, 1440])('with the reader’s font twice as large, %i px wide', (width) => {
  test('nothing overlaps, is cut off, or runs out of the window', async () => {
    const context = { viewport: { width, height: 900 } }
    const { page, mock, server } = await openConsole(browser(), { context, mock: { fixture: 'int64-edges' } })
    const session = await page.context().newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
    await page.reload()
    await send(server, 'PATCH', '/v1/inventory/0', { body: '{"quantity":-9007199254740991}' })
    mock.faults.add({ status: 503, times: 1, operation: 'updateInventory', petId: '9223372036854775807' })
    mock.faults.add({ status: 503 })
    await page.getByText('Every request: 503').waitFor()
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
    expect(await findOverflow(page)).toBe(0)
    expect(await findClipped(page)).toEqual([])
    expect(await findFaults(page)).toEqual([])
    // A word that only screen readers get is one pixel wide.
    const word = await page.getByRole('row', { name: /^0 / }).locator('.cell-status .word').boundingBox()
    expect(word?.width).toBeGreaterThan(40)
    expect((await page.locator('.brand').boundingBox())?.width).toBe(56)
    await edit(page, '0', 'x')
    await page.getByText(/^quantity must be an integer/).waitFor()
    expect(await findOverflow(page)).toBe(0)
  })
})

/** Rows, buttons and lines whose content is larger than they are. */
function findClipped(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll<HTMLElement>('.row, .cell, button, .chip, .fault-list li, .connection p'))
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter(
        ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
          scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1,
      )
      .map((element) => `${element.className}: ${element.innerText}`),
  )
}

describe('numbers', () => {
  const inventory = [9007199254740991, -9007199254740991, 1234567, -1234567, 0, 12].map((quantity, index) => ({
    petId: index + 1,
    quantity,
    status: 'available' as const,
  }))

  test.each([360, 1440])('of any size are shown whole, %i px wide', async (width) => {
    const context = { viewport: { width, height: 900 } }
    const { page } = await openConsole(browser(), { context, mock: { fixture: { inventory } } })
    await stockOf(page, 1).waitFor()
    expect(await findClipped(page)).toEqual([])
    for (const { petId, quantity } of inventory) {
      expect(await stockOf(page, petId).innerText()).toBe(quantity.toLocaleString('en'))
    }
  })
})

describe('a long path', () => {
  const path = `/v1/inventory/2?${'a-long-name=a-long-value&'.repeat(60)}`

  test.each([360, 1440])('takes two lines in the list, and is whole when opened, %i px wide', async (width) => {
    const { page, server } = await openConsole(browser(), { context: { viewport: { width, height: 900 } } })
    await send(server, 'PATCH', path, { body: '{"quantity":5}' })
    await showRequests(page)
    const line = page.getByRole('button', { name: /^\d\d:\d\d:\d\d PATCH/ })
    expect((await line.boundingBox())?.height).toBeLessThan(100)
    const details = await openRequest(page, `PATCH ${path}`, 200)
    await details.getByRole('region', { name: 'Request' }).getByText(`PATCH ${path}`).waitFor()
    expect(await findOverflow(page)).toBe(0)
    expect(await findFaults(page)).toEqual([])
  })
})
