import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { openConsole, stockOf } from './open-console.ts'

/** Declares that these actions can be taken back: what each is, what the console says, and how it is done. */
export function describeUndo(
  actions: readonly (readonly [title: string, done: string, act: (page: Page) => Promise<void>])[],
): void {
  const browser = useChromium()

  describe('Undo in the notice of an action', () => {
    test.each(actions)('takes back %s, exactly', async (_, done, act) => {
      const { page, mock } = await openConsole(browser())
      await stockOf(page, 1).waitFor()
      mock.inventory.set(1, { quantity: -4 })
      mock.inventory.remove(2)
      mock.inventory.add({ petId: '-9223372036854775808', quantity: 9007199254740991, status: 'pending' })
      await stockOf(page, '-9223372036854775808').waitFor()
      const before = mock.inventory.list()
      const rows = () => page.getByRole('grid').getByRole('row').allInnerTexts()
      const seen = await rows()
      await act(page)
      await page.getByText(done).waitFor()
      expect(mock.inventory.list()).not.toEqual(before)
      await undo(page).click()
      await page.getByText(`Undone: ${done}`).waitFor()
      expect(mock.inventory.list()).toEqual(before)
      await expect.poll(rows).toEqual(seen)
      expect(await page.getByLabel('Fixture').inputValue()).toBe('default')
      expect(await undo(page).count()).toBe(0)
      await act(page)
      await undo(page).waitFor()
      mock.inventory.add({ petId: 99, quantity: 1, status: 'sold' })
      await undo(page).waitFor({ state: 'detached' })
    })
  })
}

export function button(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true })
}

/** The Undo of the last action. */
export function undo(page: Page) {
  return page.locator('.notices').getByRole('button', { name: 'Undo' })
}

export async function load(page: Page, fixture: string): Promise<void> {
  await page.getByLabel('Fixture').selectOption(fixture)
  await button(page, 'Load').click()
  await page.getByText(`Loaded ${fixture}`).waitFor()
}

export async function openFile(page: Page, json: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await button(page, 'Save and share').click()
  await page.getByRole('button', { name: 'Open file…' }).click()
  await (await chooser).setFiles({ name: 'pets.json', mimeType: 'application/json', buffer: Buffer.from(json) })
}
