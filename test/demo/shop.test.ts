import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { book, openDemo, seeStock, shopOf } from './open-demo.ts'

const browser = useChromium()

describe('the shop beside the console', () => {
  test('sells and restocks through the service, and shows what others change', async () => {
    const { page } = await openDemo(browser())
    const shop = shopOf(page)
    await shop.getByRole('button', { name: 'Sell Goldfish' }).click()
    await shop.getByText('Sold 1 × Goldfish').waitFor()
    await shop.getByText('Goldfish$411 left').waitFor()
    await seeStock(page, 1, 11)
    await shop.getByRole('button', { name: 'Restock Siamese kitten' }).click()
    await shop.getByText('10 × Siamese kitten arrived').waitFor()
    await seeStock(page, 3, 10)
    await book(page, 2, 64)
    await shop.getByText('Canary$3564 left').waitFor()
    await shop.getByRole('button', { name: 'Sell Canary' }).click({ clickCount: 3 })
    await seeStock(page, 2, 61)
    await page.reload()
    await shop.getByText('Siamese kitten$42010 left').waitFor()
    await page.getByLabel('Fixture').selectOption('int64-edges')
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await shop.getByRole('button', { name: 'Sell Pet 9007199254740993' }).click()
    await shop.getByText('Sold 1 × Pet 9007199254740993').waitFor()
  })

  test('sells other pets while the updates of one fail, in the sandbox on the page', async () => {
    const { page } = await openDemo(browser(), { path: '?sandbox=other' })
    const shop = shopOf(page)
    await page.getByRole('button', { name: 'Actions for pet 1', exact: true }).click()
    await page.getByRole('button', { name: 'Make updates fail' }).click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('PATCH /v1/inventory/1: 503').waitFor()
    await shop.getByRole('button', { name: 'Sell Goldfish' }).click()
    await shop.getByText('One order waits until we are back.').waitFor()
    await shop.getByRole('button', { name: 'Sell Guppy' }).click()
    await seeStock(page, 5, 24)
    await seeStock(page, 1, 12)
    await page.getByRole('button', { name: 'Remove fault 1' }).click()
    await seeStock(page, 1, 11)
    await shop.getByText('Sorry').waitFor({ state: 'detached' })
  })

  test('saves what waited of a pet in its order, so that no stock is below zero', async () => {
    const { page } = await openDemo(browser())
    const shop = shopOf(page)
    await page.getByRole('button', { name: 'Outage 503' }).click()
    await shop.getByRole('button', { name: 'Restock Siamese kitten' }).click()
    for (const left of [9, 8]) {
      await shop.getByRole('button', { name: 'Sell Siamese kitten' }).click()
      await shop.getByText(`${left} left`, { exact: true }).waitFor()
    }
    await shop.getByText('3 orders wait until we are back.').waitFor()
    // Each of them was tried, and the first one once more.
    await page.getByText('triggered 4 times').waitFor()
    await page.getByRole('button', { name: 'Outage 503' }).click()
    await seeStock(page, 3, 8)
    const { entries } = await page.evaluate(async () => (await fetch('_mock/journal?method=PATCH&status=200')).json())
    const saved = entries.map(({ answer }: { answer: { body: string } }) => JSON.parse(answer.body).quantity)
    expect(saved).toEqual([10, 9, 8])
  })

  test('forgets a sale that the service refuses, such as that of a pet that is gone', async () => {
    const { page } = await openDemo(browser())
    const shop = shopOf(page)
    await page.getByLabel('API key').fill('other-key')
    await shop.getByRole('button', { name: 'Sell Goldfish' }).click()
    await page.getByText('Invalid API key (401). Enter demo-key, the key of this demo.').waitFor()
    await shop.getByText('Goldfish$412 left').waitFor()
    expect(await shop.getByText('Sorry, we cannot sell right now.').count()).toBe(1)
  })
})
