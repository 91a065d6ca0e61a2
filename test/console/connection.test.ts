import { describe, expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { useChromium } from '../browser/connect-chromium.ts'
import { findFaults, findOverflow } from './find-faults.ts'
import { fill, openConsole, send, sendLine, showRequests, stockOf } from './open-console.ts'

const browser = useChromium()

const LOST = 'Mock server unreachable. Reconnecting…'

describe('the console and its mock', () => {
  test('a mock that goes is missed, and one that comes back is asked everything anew', async () => {
    const { page, mock, server } = await openConsole(browser(), { context: { viewport: { width: 1440, height: 600 } } })
    await fill(mock, 40)
    await page.getByRole('button', { name: 'all 40' }).waitFor()
    await page.getByRole('searchbox', { name: 'Pet id' }).focus()
    await server.close()
    await page.getByText(LOST).waitFor()
    await page.getByText('run npx petstore-mock serve').waitFor()
    expect(await stockOf(page, 1).innerText()).toBe('12')
    expect(
      await page.locator('button, input, select').filter({ visible: true }).and(page.locator(':enabled')).count(),
    ).toBe(0)
    // The lists can be scrolled with the keyboard.
    expect(await findFaults(page)).toEqual([])
    const again = await serve(createMock({ fixture: 'low-stock' }), { port: server.port })
    onTestFinished(() => again.close())
    await expect.poll(() => page.getByText(LOST).count()).toBe(0)
    await expect.poll(() => stockOf(page, 1).innerText()).toBe('1')
    // What was typed is still there, and is still typed in.
    await page.keyboard.type('7')
    expect(await page.getByRole('searchbox', { name: 'Pet id' }).inputValue()).toBe('7')
    await page.getByRole('searchbox', { name: 'Pet id' }).fill('')
    await page.getByText('No requests yet').waitFor()
    await send(again, 'PATCH', '/v1/inventory/1', { body: '{"quantity":64}' })
    await expect.poll(() => stockOf(page, 1).innerText()).toBe('64')
  })

  test('a server with neither mock nor event stream is an unreachable mock, and no error of the page', async () => {
    const path = /\/_mock\/[a-z]+(\?|$)/
    const { page } = await openConsole(browser(), {
      prepare: (page) => page.route(path, (route) => route.fulfill({ status: 404, body: '{}' })).then(() => {}),
    })
    await page.getByText(LOST).waitFor()
    await expect.poll(() => page.getByText('Loading').filter({ visible: true }).count()).toBe(0)
    await page.unroute(path)
    await page.getByText('Live', { exact: true }).waitFor()
  })

  test('asks for the control token where one is needed, and sends it from then on', async () => {
    const { page, mock } = await openConsole(browser(), { server: { controlToken: 'open sesame' } })
    const field = page.getByLabel('Control token')
    await field.fill('wrong')
    await field.press('Enter')
    await page.getByText('Invalid control token.').waitFor()
    await field.fill('open sesame')
    await field.press('Enter')
    await stockOf(page, 1).waitFor()
    mock.inventory.set(1, { quantity: 77 })
    await expect.poll(() => stockOf(page, 1).innerText()).toBe('77')
    await page.reload()
    await stockOf(page, 1).waitFor()
    expect(page.url()).not.toContain('sesame')
  })

  test('below another base path, asks for a key where demo-key is none, and remembers it while the tab is open', async () => {
    const { page, mock } = await openConsole(browser(), { mock: { apiKeys: ['acme-key'], baseUrl: '/shop/api' } })
    await page.getByText('Enter a key that the mock was started with (--api-key).').waitFor()
    const field = page.getByLabel('API key')
    expect(await field.inputValue()).toBe('')
    await field.fill('acme-key')
    await sendLine(page, 1, '5')
    await page.getByText(/^Response: 200/).waitFor()
    expect(mock.journal.last()?.request.path).toBe('/shop/api/inventory/1')
    await page.reload()
    expect(await field.inputValue()).toBe('acme-key')
    expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({})
  })
})

describe('a key that the mock does not take', () => {
  test('is said to be refused where it is typed, until another is', async () => {
    const context = { viewport: { width: 360, height: 900 } }
    const { page, mock } = await openConsole(browser(), { context, mock: { apiKeys: ['other-key'] } })
    const key = page.getByLabel('API key')
    await showRequests(page)
    await key.fill('wrong-key')
    await sendLine(page, 2, '20')
    await page.getByText(/^Response: 401/).waitFor()
    await page.getByText('Invalid API key (401). Enter a key that the mock was started with (--api-key).').waitFor()
    const isWhole = (element: Element): boolean => {
      const { left, right } = element.getBoundingClientRect()
      return left >= 0 && right <= innerWidth && element.scrollWidth <= element.clientWidth
    }
    for (const width of [1440, 1100, 768, 640, 480, 360]) {
      await page.setViewportSize({ width, height: 900 })
      const seen = [width, await page.locator('#key-error').evaluate(isWhole), await findOverflow(page)]
      expect(seen).toEqual([width, true, 0])
    }
    expect(await key.getAttribute('aria-invalid')).toBe('true')
    expect(await findFaults(page)).toEqual([])
    await key.fill('other-key')
    await page.getByText('Invalid API key').waitFor({ state: 'detached' })
    await sendLine(page, 2, '20')
    await page.getByText(/^Response: 200/).waitFor()
    expect(mock.inventory.get(2)?.quantity).toBe(20)
  })
})
