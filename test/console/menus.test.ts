import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { openConsole, openRequest, send, stockOf } from './open-console.ts'

const browser = useChromium()

describe('a menu', () => {
  test('takes the arrow keys, and the pet that takes the place of a removed one takes its focus', async () => {
    const { page, mock } = await openConsole(browser())
    await stockOf(page, 3).waitFor()
    for (const [petId, next] of [
      [3, 4],
      [10, 9],
    ] as const) {
      await page.getByRole('button', { name: `Actions for pet ${petId}`, exact: true }).click()
      await seeFocus(page, 'Make updates fail…')
      for (const key of ['End', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key)
      await seeFocus(page, 'Remove pet')
      await page.keyboard.press('Enter')
      await seeFocus(page, `${mock.inventory.get(next)?.quantity}`)
    }
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'In stock of pet 8' }).waitFor()
  })

  test('of a request is closed by Escape, and the request is not', async () => {
    const { page, server } = await openConsole(browser())
    await send(server, 'GET', '/v1/inventory')
    const details = await openRequest(page, 'GET /v1/inventory', 200)
    await details.getByRole('button', { name: 'Copy' }).click()
    await seeFocus(page, 'curl')
    await page.keyboard.press('Escape')
    await seeFocus(page, 'Copy')
    expect(await details.isVisible()).toBe(true)
  })
})

/** Resolves when the element with this text has the focus. */
async function seeFocus(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLElement).innerText)).toBe(text)
}
