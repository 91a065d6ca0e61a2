import type { Page } from 'playwright'
import { expect } from 'vitest'

/** A visitor reads what the demo needs, and whoever builds it the reason, in the browser's console. */
export async function seeFailure(page: Page, reason: RegExp): Promise<void> {
  await page.getByRole('heading', { name: 'The demo cannot run here' }).waitFor()
  expect(await page.getByRole('main').innerText()).toContain('a window that is not private')
  expect((await page.consoleMessages()).map((message) => message.text()).join()).toMatch(reason)
  expect(await page.locator('#console').isVisible()).toBe(false)
}
