import { test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { book, openDemo, seeStock, shopOf } from './open-demo.ts'

const browser = useChromium()

test('the shop beside the console sells and restocks through the service, and shows what others change', async () => {
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
