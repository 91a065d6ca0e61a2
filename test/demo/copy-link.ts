import type { Page } from 'playwright'

/** What a page needs to read a link that it copied. */
export const COPYING = { context: { permissions: ['clipboard-read', 'clipboard-write'] } }

/** Copies a link to the state of the demo. */
export async function copyLink(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Save and share' }).click()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('Link copied').waitFor()
  return page.evaluate(() => navigator.clipboard.readText())
}
