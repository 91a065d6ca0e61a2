import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import type { PetId } from '../../src/index.ts'
import { useChromium } from '../browser/connect-chromium.ts'
import { openConsole } from './open-console.ts'

interface Texts {
  /** What the console says, the last pet of the list afterwards, and what is added. */
  readonly added: readonly (readonly [words: string, last: PetId, text: string])[]
  readonly refused: readonly (readonly [text: string, reasons: readonly RegExp[]])[]
}

/** Declares what becomes of these texts when they are added. */
export function describeAdding({ added, refused }: Texts): void {
  const browser = useChromium()

  describe('the stock on the console', () => {
    test.each(added)('is added to by hand and by paste: %s', async (words, last, text) => {
      const { page, mock } = await openConsole(browser())
      const seen: string[] = []
      mock.onChange(({ type }) => seen.push(type))
      await addPets(page, text)
      await page.getByText(words).waitFor()
      expect([seen, mock.inventory.list().at(-1)?.petId]).toEqual([['state'], last])
      await page.getByText(`${mock.inventory.size.toLocaleString('en')} pets`, { exact: true }).waitFor()
    })

    test.each(refused)('takes nothing of %j, and says why', async (text, reasons) => {
      const { page, mock } = await openConsole(browser())
      const before = mock.inventory.list()
      await addPets(page, text)
      const lines = async () => (await page.locator('.add .error').innerText()).split('\n')
      await expect.poll(lines).toEqual(reasons.map((reason) => expect.stringMatching(reason)))
      expect(mock.inventory.list()).toEqual(before)
      await page.getByRole('button', { name: 'Cancel' }).click()
    })
  })
}

/** Enters pets, in any of the forms. */
export async function addPets(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Add…' }).click()
  // As a paste does it: typing 1,500 lines takes many seconds.
  await page.getByLabel('Pets to add').evaluate((field: HTMLTextAreaElement, text) => {
    field.value = text
  }, text)
  await page.getByRole('button', { name: 'Add pets' }).click()
}
