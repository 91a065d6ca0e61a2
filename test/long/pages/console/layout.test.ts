import type { Locator, Page, Route } from 'playwright'
import { describe, expect, test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { type ConsoleSetup, openConsole, stockOf } from '../../../console/open-console.ts'

const browser = useChromium()

const WINDOWS = [
  { name: 'a desktop', viewport: { width: 1440, height: 900 } },
  { name: 'a phone', viewport: { width: 360, height: 780 } },
]

/** Opens the console before the mock answers: `answer` lets the held requests pass whose path ends so. */
async function openHeld(setup: ConsoleSetup) {
  const held = new Map<string, Route[]>()
  const answered = new Set<string>()
  const prepare = async (page: Page): Promise<void> => {
    await page.addInitScript(() => {
      const shifts: number[] = []
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
          if (!entry.hadRecentInput) shifts.push(entry.value)
      }).observe({ type: 'layout-shift', buffered: true })
      Object.assign(globalThis, { shifts })
    })
    await page.route(/\/_mock\/[a-z]+(\?|$)/, async (route) => {
      const name = new URL(route.request().url()).pathname.replace('/_mock/', '')
      if (answered.has(name)) await route.continue()
      else held.set(name, [...(held.get(name) ?? []), route])
    })
  }
  const open = await openConsole(browser(), { ...setup, prepare })
  const answer = async (name: string): Promise<void> => {
    await expect.poll(() => held.get(name)?.length ?? 0).toBeGreaterThan(0)
    for (const route of held.get(name) ?? []) await route.continue()
    answered.add(name)
  }
  return { ...open, answer }
}

/** https://web.dev/articles/cls: how much of the window moved, and how far, without anybody's doing. */
async function findShift(page: Page): Promise<number> {
  // What has changed is drawn, and observed, with the next frames.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  return page.evaluate(() => (Reflect.get(globalThis, 'shifts') as number[]).reduce((sum, shift) => sum + shift, 0))
}

/** On the page, wherever it is scrolled to. */
function placeOf(element: Locator): Promise<{ x: number; y: number }> {
  return element.evaluate((node) => {
    const { x, y } = node.getBoundingClientRect()
    return { x: x + scrollX, y: y + scrollY }
  })
}

describe.each(WINDOWS)('on $name', ({ viewport }) => {
  const ORDERS = [
    ['events', 'health', 'fixtures', 'journal', 'faults', 'delay', 'state'],
    ['events', 'state', 'delay', 'faults', 'journal', 'fixtures', 'health'],
  ]

  test.each(ORDERS)(
    'nothing is shown as a fact before the mock has told it, and nothing moves: %s, %s, %s …',
    async (...order) => {
      const { page, answer, mock } = await openHeld({ context: { viewport }, mock: { delay: 1 } })
      mock.faults.add({ petId: 3, status: 404 })
      await mock.fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
      await page.getByText('Loading inventory…').waitFor()
      for (const name of order) {
        // Not the end of `10 pets`.
        const wrong = page.getByText(/(?<!\d)0 pets|No pets|No requests yet|all 0/).filter({ visible: true })
        expect(await wrong.allInnerTexts(), `before ${name}`).toEqual([])
        await answer(name)
      }
      await stockOf(page, 1).waitFor()
      await page.getByText('10 pets').waitFor()
      await page.getByText('pet 3: 404').waitFor()
      if (viewport.width < 900) await page.getByRole('button', { name: 'Requests', exact: true }).click()
      await page.getByRole('button', { name: 'all 1' }).waitFor()
      await page.getByRole('button', { name: /GET \/v1\/inventory 200/ }).waitFor()
      expect(await findShift(page)).toBeLessThan(0.05)
    },
  )

  test.each(['100%', '200%'])('a switch stays where it is when it is pressed, with a font of %s', async (fontSize) => {
    const { page, mock } = await openConsole(browser(), { context: { viewport } })
    await stockOf(page, 1).waitFor()
    await page.evaluate((size) => (document.documentElement.style.fontSize = size), fontSize)
    for (const name of ['Outage 503', 'Connection reset', 'Timeout', 'Slow 1 s']) {
      const button = page.getByRole('button', { name })
      await button.scrollIntoViewIfNeeded()
      const before = await placeOf(button)
      await button.click()
      await page.getByRole('button', { name, pressed: true }).waitFor()
      expect(await placeOf(button), name).toEqual(before)
      await button.click()
      await page.getByRole('button', { name, pressed: false }).waitFor()
      expect(await placeOf(button), name).toEqual(before)
    }
    expect(mock.faults.list()).toEqual([])
  })
})
