import { describe, expect, test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { openRequest, sendLine } from '../../../console/open-console.ts'
import { ask, book, keepCustomersAway, openDemo, seeStock } from '../../../demo/open-demo.ts'

const browser = useChromium()

describe('the demo', () => {
  test('a wrong key is explained with the key of the demo', async () => {
    const { page } = await openDemo(browser())
    await page.getByLabel('API key').fill('other-key')
    await sendLine(page, 2, '20')
    await page.getByText('Invalid API key (401). Enter demo-key, the key of this demo.').waitFor()
  })

  test('a request is copied for the developer console of the page, where it does the same again', async () => {
    const { page } = await openDemo(browser(), { context: { permissions: ['clipboard-read', 'clipboard-write'] } })
    await sendLine(page, 2, '64')
    const details = await openRequest(page, 'PATCH /v1/inventory/2', 200)
    await details.getByRole('button', { name: 'Copy' }).click()
    // No shell can reach the mock.
    expect(await page.getByRole('button', { name: 'curl' }).count()).toBe(0)
    await page.getByRole('button', { name: 'fetch' }).click()
    await page.getByText('Copied as fetch').waitFor()
    const statement = await page.evaluate(() => navigator.clipboard.readText())
    await page.getByRole('button', { name: 'Close' }).click()
    await book(page, 2, 65)
    expect(await page.evaluate(`(async () => (${statement}).status)()`)).toBe(200)
    await seeStock(page, 2, 64)
  })
})

describe('what becomes of changes', () => {
  test('all is as at the start on demand, in every sandbox, and stays so', async () => {
    const { page, openTab } = await openDemo(browser(), { before: keepCustomersAway })
    await book(page, 1, 64)
    const other = await openTab('?sandbox=other')
    await book(other, 1, 65)
    await page.getByRole('button', { name: 'Start again' }).click()
    await page.getByRole('status').getByText('Started again').waitFor()
    await seeStock(page, 1, 12)
    await ask(other)
    await seeStock(other, 1, 12)
    await page.reload()
    await seeStock(page, 1, 12)
  })
})
