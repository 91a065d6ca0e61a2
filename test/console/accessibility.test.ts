import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { findFaults, findOverflow } from './find-faults.ts'
import { openConsole, stockOf } from './open-console.ts'
import { VIEWS } from './views.ts'

const browser = useChromium()

/** The others, each in every look: test/long/pages/console/accessibility.test.ts. */
test.each([
  { name: 'with a request opened', colorScheme: 'light', width: 360 },
  { name: 'with faults, a sentence for another, and latency', colorScheme: 'dark', width: 1440 },
] as const)(
  'the console $name is accessible, $colorScheme and $width px wide',
  async ({ name, colorScheme, width }) => {
    const context = { colorScheme, viewport: { width, height: 900 } }
    const view = VIEWS.find((each) => each.name === name)
    const open = await openConsole(browser(), { ...view?.setup, context })
    await view?.go(open.page, open)
    expect(await findFaults(open.page)).toEqual([])
    expect(await findOverflow(open.page)).toBe(0)
  },
)

describe('the look of the console', () => {
  test('nothing moves for those who ask for that', async () => {
    const { page, mock } = await openConsole(browser())
    await stockOf(page, 1).waitFor()
    mock.inventory.set(1, { quantity: 5 })
    await expect.poll(() => stockOf(page, 1).innerText()).toBe('5')
    const moving = await page.evaluate(() => document.getAnimations().length)
    expect(moving).toBe(0)
  })

  test('the tab key goes through everything in a sensible order, and is always seen', async () => {
    const { page } = await openConsole(browser())
    await stockOf(page, 1).waitFor()
    const stops: string[] = []
    for (let press = 0; press < 40; press += 1) {
      await page.keyboard.press('Tab')
      const stop = await page.evaluate(() => {
        const { activeElement: element } = document
        if (element === null || element === document.body) return undefined
        const { outlineStyle, outlineWidth } = getComputedStyle(element)
        const label = element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.innerText
        return {
          name: label ?? (element as HTMLElement).innerText,
          isSeen: outlineStyle !== 'none' && outlineWidth !== '0px',
        }
      })
      if (stop === undefined) break
      expect(stop).toEqual({ name: expect.any(String), isSeen: true })
      stops.push(stop.name.split('\n')[0]?.trim() ?? '')
    }
    expect(stops.join(', ').replace(/http:\S+\/v1/, 'URL')).toBe(
      'Skip to the inventory, Sandbox, URL, API key, Save and share, Outage 503, Connection reset, Timeout, ' +
        'Slow 1 s, Make requests fail…, Pet id, Add…, available, pending, sold, Pet, Status, In stock, ' +
        '12 of pet 1 in stock, change, Actions for pet 1, Fixture, Load, Reset, Find requests, ' +
        'Pause, all, 4xx, 5xx or none, Copy, Operation, Pet, Quantity, Send',
    )
  })
})
