import { expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { build } from './build-demo.ts'
import { book, keepCustomersAway, openDemo, seeStock } from './open-demo.ts'

const browser = useChromium()

test('the demo with data of its own shows them under its title, and its page knows the key', async () => {
  const names = { '1': { name: 'Bella <3', price: '€ 40' } }
  const files = build({ title: 'Ann’s <shop>', names })
  const { page } = await openDemo(browser(), { files, before: keepCustomersAway })
  const shop = page.getByRole('complementary', { name: 'Ann’s <shop>' })
  await shop.getByText('Bella <3€ 4040 left').waitFor()
  await page.getByRole('row', { name: '1 Bella <3 available' }).waitFor()
  await page.getByRole('heading', { name: 'Ann’s <shop>', level: 1 }).waitFor()
  await page.getByText('1 pet', { exact: true }).waitFor()
  await book(page, 1, 41)
  expect(await page.title()).toBe('Ann’s <shop>')
  expect(await page.getByLabel('API key').inputValue()).toBe('shop-key')
  await page.getByRole('button', { name: 'Start again' }).click()
  await seeStock(page, 1, 40)
})
