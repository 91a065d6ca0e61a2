import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { build, pets } from './build-demo.ts'
import { book, openDemo, seeStock } from './open-demo.ts'

const browser = useChromium()

describe('the demo with data of its own', () => {
  test('shows them under its title, and its page knows the key', async () => {
    const { page } = await openDemo(browser(), { files: build({ title: 'Ann’s <shop>' }), path: '?shop=open' })
    await page.getByRole('complementary', { name: 'Ann’s <shop>' }).waitFor()
    await page.getByRole('heading', { name: 'Ann’s <shop>', level: 1 }).waitFor()
    await page.getByText('1 pet', { exact: true }).waitFor()
    await book(page, 1, 41)
    expect(await page.title()).toBe('Ann’s <shop>')
    expect(await page.getByLabel('API key').inputValue()).toBe('shop-key')
    await page.getByRole('button', { name: 'Start again from the seed' }).click()
    await seeStock(page, 1, 40)
  })

  test('keeps changes, until its data are others', async () => {
    const { page, site, openTab } = await openDemo(browser(), { files: build() })
    await book(page, 1, 41)
    await page.reload()
    await seeStock(page, 1, 41)
    const fixtures = { 'pets.json': pets(80) }
    for (const [name, content] of build({ id: 'other', fixtures })) site.files.set(name, content)
    const later = await openTab()
    await seeStock(later, 1, 80)
    await seeStock(page, 1, 80)
  })
})
