import type { Locator, Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { book, openDemo, seeStock } from './open-demo.ts'

const browser = useChromium()

function shopOf(page: Page): Locator {
  return page.getByRole('complementary', { name: 'Corner Pet Shop' })
}

describe('the shop beside the console', () => {
  test('sells and restocks through the service, and is open again after a reload', async () => {
    const { page } = await openDemo(browser())
    await page.getByRole('button', { name: 'Shop', exact: true }).click()
    const shop = shopOf(page)
    await shop.getByRole('button', { name: 'Sell one of pet 1', exact: true }).click()
    await shop.getByText('Sold one of pet 1').waitFor()
    await shop.getByText('Pet 1 11 left').waitFor()
    await seeStock(page, 1, 11)
    await shop.getByRole('button', { name: 'Sell one of pet 3' }).click()
    await shop.getByText('Pet 3 is sold out').waitFor()
    await shop.getByRole('button', { name: 'Restock pet 3' }).click()
    await seeStock(page, 3, 10)
    await book(page, 2, 64)
    await shop.getByRole('button', { name: 'Refresh' }).click()
    await shop.getByText('Pet 2 64 left').waitFor()
    await page.reload()
    await shop.getByText('Pet 3 10 left').waitFor()
    await page.getByRole('button', { name: 'Start again from the seed' }).click()
    await shop.getByText('Pet 3 sold out').waitFor()
    await page.getByRole('button', { name: 'Shop', exact: true }).click()
    await shop.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')
  })

  test('shows what a fault does to it, in the sandbox on the page, and tries again', async () => {
    const { page } = await openDemo(browser(), { path: '?shop=open&sandbox=other' })
    const shop = shopOf(page)
    await shop.getByText('Pet 1 12 left').waitFor()
    await page.getByRole('button', { name: 'Actions for pet 1', exact: true }).click()
    await page.getByRole('button', { name: 'Make updates fail' }).click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('updateInventory of pet 1: 503').waitFor()
    await shop.getByRole('button', { name: 'Sell one of pet 1', exact: true }).click()
    await shop.getByText('Sorry, pet 1 was not saved. 503').waitFor()
    await page.getByRole('button', { name: 'Remove fault 1' }).click()
    await shop.getByRole('button', { name: 'Try again' }).click()
    await seeStock(page, 1, 11)
    await page.getByRole('button', { name: 'Connection reset' }).click()
    await page.getByText('Every request: connection reset').waitFor()
    await shop.getByRole('button', { name: 'Refresh' }).click()
    await shop.getByText('Sorry, the stock cannot be shown. The connection broke').waitFor()
  })
})

test('a busy shop updates several pets, with a 404 and a 400, until the page is hidden', async () => {
  // Customers come sooner after each other.
  const before = (): void => {
    const { setTimeout } = globalThis
    const hasten = (run: () => void, ms?: number) => setTimeout(run, ms === 900 ? 100 : ms)
    Object.assign(globalThis, { setTimeout: hasten })
  }
  const { page } = await openDemo(browser(), { before })
  const busy = page.getByRole('button', { name: 'Simulate a busy shop' })
  await busy.click()
  await page.getByRole('status').getByText('A busy shop is simulated').waitFor()
  for (const words of ['6 200', '3 200', '5 200', '3 400', '404404 404'])
    await page
      .getByRole('button', { name: `PATCH /v1/inventory/${words}` })
      .first()
      .waitFor()
  await page.getByRole('button', { name: 'Outage 503' }).click()
  await page.getByRole('button', { name: 'Shop', exact: true }).click()
  await shopOf(page).getByText('Sorry, we cannot serve you. 503').waitFor()
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await page.getByRole('status').getByText('The shop is quiet, because the page was hidden').waitFor()
  await page.getByRole('button', { name: 'Simulate a busy shop', pressed: false }).waitFor()
})
