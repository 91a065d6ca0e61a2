import type { Page } from 'playwright'

/** What a page needs for a test to read what it copied. */
export const COPYING = { permissions: ['clipboard-read', 'clipboard-write'] }

/** Copies the open request in one of the forms of its menu. */
export async function copy(page: Page, form: string): Promise<string> {
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByRole('button', { name: form, exact: true }).click()
  await page.getByText(`Copied as ${form}`).waitFor()
  return page.evaluate(() => navigator.clipboard.readText())
}
