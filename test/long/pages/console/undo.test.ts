import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { button, describeUndo, load, openFile, undo } from '../../../console/describe-undo.ts'
import { openConsole, stockOf } from '../../../console/open-console.ts'

describeUndo([
  ['another status', 'Pet 3 is pending', (page) => choose(page, 3, 'Set status: pending')],
  ['a removed pet', 'Pet 3 removed', (page) => choose(page, 3, 'Remove pet')],
  ['another fixture', 'Loaded low-stock', (page) => load(page, 'low-stock')],
  ['a fixture file', 'File loaded', (page) => openFile(page, '{"inventory":[]}')],
])

const browser = useChromium()

describe('Undo in the notice of an action', () => {
  test('is not offered while another sandbox is shown', async () => {
    const { page, mock } = await openConsole(browser())
    await page.getByLabel('Sandbox').fill('checkout-7')
    await page.keyboard.press('Enter')
    await page.getByText('Sandbox checkout-7').waitFor()
    await load(page, 'low-stock')
    await undo(page).waitFor()
    await page.goBack()
    await undo(page).waitFor({ state: 'detached' })
    expect(mock.sandbox('checkout-7').inventory.get(5)?.quantity).toBe(1)
  })

  test('leaves the focus in the page when it goes: pressed, or withdrawn', async () => {
    const { page, mock } = await openConsole(browser())
    await stockOf(page, 1).waitFor()
    for (const end of [() => undo(page).press('Enter'), async () => void mock.inventory.set(5, { quantity: 3 })]) {
      await load(page, 'low-stock')
      await undo(page).focus()
      await end()
      await undo(page).waitFor({ state: 'detached' })
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
    }
  })

  test('is not offered for a HAR, which is no fixture, and the error says where to open it', async () => {
    const { page } = await openConsole(browser())
    await stockOf(page, 1).waitFor()
    await openFile(page, '{"log":{"version":"1.2","entries":[]}}')
    await page.getByText("This is a HAR. Open it in a browser's network panel").waitFor()
    expect(await undo(page).count()).toBe(0)
  })

  test('is offered until it is dismissed', async () => {
    const { page } = await openConsole(browser())
    await page.clock.install()
    await stockOf(page, 1).waitFor()
    await button(page, 'Reset').click()
    await undo(page).waitFor()
    // After 40 s without a sign of the mock, the page would connect again.
    await page.clock.runFor(30_000)
    await button(page, 'Dismiss').click()
    await undo(page).waitFor({ state: 'detached' })
  })
})

async function choose(page: Page, petId: number, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for pet ${petId}` }).click()
  await page.getByRole('button', { name: item }).click()
}
