import { describe, expect, test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { openDemo, seeStock, shopOf } from '../../../demo/open-demo.ts'

const browser = useChromium()

describe('the shop beside the console', () => {
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

test('customers buy several pets until the page is hidden, and come back with it', async () => {
  // Customers come sooner after each other.
  const before = (): void => {
    const { setTimeout } = globalThis
    const hasten = (run: () => void, ms?: number) => setTimeout(run, ms === 900 ? 100 : ms)
    Object.assign(globalThis, { setTimeout: hasten })
  }
  const { page } = await openDemo(browser(), { before, path: '' })
  for (const petId of [5, 6, 7, 10])
    await page
      .getByRole('button', { name: `PATCH /v1/inventory/${petId} 200` })
      .first()
      .waitFor()
  const hide = (isHidden: boolean) =>
    page.evaluate((value) => void Object.defineProperty(document, 'hidden', { value, configurable: true }), isHidden)
  await hide(true)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('Journal cleared').waitFor()
  await page.getByRole('button', { name: 'all 0' }).waitFor()
  await hide(false)
  await page
    .getByRole('button', { name: /PATCH .* 200/ })
    .first()
    .waitFor()
})
