import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { findFaults, findOverflow, LOOKS } from './find-faults.ts'
import { type ConsoleSetup, edit, openConsole, openRequest, send, showRequests, stockOf } from './open-console.ts'

const browser = useChromium()

/** A view of the page, and how one comes to it. */
interface View {
  readonly name: string
  readonly setup?: ConsoleSetup
  readonly go: (page: Page, open: Awaited<ReturnType<typeof openConsole>>) => Promise<unknown>
}

const VIEWS: readonly View[] = [
  { name: 'at rest', go: (page) => stockOf(page, 10).waitFor() },
  {
    name: 'with no pets',
    setup: { mock: { fixture: 'empty' } },
    go: (page) => page.getByText('No pets. Add some').waitFor(),
  },
  {
    name: 'with an edit that was refused',
    async go(page) {
      await edit(page, 2, 'five')
      await page.getByText(/^400 · /).waitFor()
    },
  },
  {
    name: 'with faults, a sentence for another, and latency',
    async go(page, { mock }) {
      await page.getByRole('button', { name: 'Outage 503' }).click()
      await page.getByText('Every request: 503').waitFor()
      mock.faults.add({ error: 'reset', petId: 3 })
      await page.getByRole('button', { name: 'Make requests fail…' }).click()
      await page.getByRole('button', { name: 'Slow 1 s' }).click()
      await page.getByText('Responses take 1,000 ms', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Remove all faults' }).waitFor()
      await page.getByRole('button', { name: 'Add', exact: true }).hover()
    },
  },
  {
    name: 'with a request opened',
    async go(page, { server, mock }) {
      mock.faults.add({ status: 503, times: 1 })
      for (const key of ['demo-key', 'wrong']) await send(server, 'GET', '/v1/inventory', { key })
      await send(server, 'PATCH', '/v1/inventory/2', { body: '{"quantity":5}' })
      await showRequests(page)
      const details = await openRequest(page, 'PATCH /v1/inventory/2', 200)
      await details.getByRole('button', { name: 'Send again' }).click()
      await page.getByText(/^Sent again/).waitFor()
      await page.getByRole('searchbox', { name: 'Find requests' }).fill('no such thing')
      await page.getByText('0 found').waitFor()
    },
  },
  {
    name: 'with filters, pets to add, and a menu',
    async go(page) {
      await page.getByRole('button', { name: /^pending/ }).click()
      await page.getByRole('button', { name: 'Add…' }).click()
      await page.getByLabel('Pets to add').fill('x 1')
      await page.getByRole('button', { name: 'Add pets' }).click()
      await page.getByText('Line 1: 400').waitFor()
      await page.getByRole('button', { name: 'Actions for pet 7' }).click()
      await page.getByRole('button', { name: 'Remove pet' }).waitFor()
    },
  },
  {
    name: 'with a sandbox that has no name',
    async go(page) {
      await page.getByLabel('Sandbox').fill('a/b')
      await page.keyboard.press('Enter')
      await page.getByText('A name has 1 to 64').waitFor()
    },
  },
  {
    name: 'locked',
    setup: { server: { controlToken: 'secret' } },
    async go(page) {
      await page.getByLabel('Control token').fill('wrong')
      await page.keyboard.press('Enter')
      await page.getByText('Invalid control token.').waitFor()
    },
  },
  {
    name: 'without its mock',
    async go(page, { server }) {
      await stockOf(page, 1).waitFor()
      await server.close()
      await page.getByText('Mock server unreachable').waitFor()
      await page.getByRole('button', { name: 'Load' }).click()
      await page.getByRole('button', { name: 'Dismiss' }).waitFor()
    },
  },
]

describe.each(LOOKS)('the console, $colorScheme and $width px wide', ({ colorScheme, width }) => {
  test.each(VIEWS)('$name', async ({ setup, go }) => {
    const context = { colorScheme, viewport: { width, height: 900 } }
    const open = await openConsole(browser(), { ...setup, context })
    await go(open.page, open)
    expect(await findFaults(open.page)).toEqual([])
    expect(await findOverflow(open.page)).toBe(0)
  })
})

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
        '12 of pet 1 in stock, change, Actions for pet 1, Fixture, Load, Reset, Undo, Redo, History, Find requests, ' +
        'Pause, all, refused, failed, Operation, Pet, Quantity, Send',
    )
  })
})
