import { describe, expect, test } from 'vitest'
import { generateFixture } from '../../../../src/store/generate-fixture.ts'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { build, pets } from '../../../demo/build-demo.ts'
import { book, openDemo, seeStock } from '../../../demo/open-demo.ts'

const browser = useChromium()

describe('the demo with data of its own', () => {
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

  test('has several fixtures: those of the console, of a link and of Reset are the same', async () => {
    const fixtures = { '40.yaml': pets(40), '5.yaml': pets(5), 'sold-out': pets(7) }
    const { page, openTab } = await openDemo(browser(), { files: build({ fixtures }) })
    await book(page, 1, 41)
    const shipped = ['default (10)', 'empty (0)', 'low-stock (10)', 'int64-edges (10)']
    const listed = page.getByLabel('Fixture').getByRole('option')
    await expect
      .poll(() => listed.allInnerTexts())
      .toEqual([...['40.yaml (1)', '5.yaml (1)', 'sold-out (1)'], ...shipped])
    await page.getByLabel('Fixture').selectOption('5.yaml')
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await seeStock(page, 1, 5)
    await page.reload()
    await seeStock(page, 1, 5)
    await expect.poll(() => page.getByLabel('Fixture').inputValue()).toBe('5.yaml')
    await seeStock(await openTab('?fixture=sold-out'), 1, 7)
    const linked = await openTab('?fixture=40.yaml')
    await seeStock(linked, 1, 40)
    await linked.getByRole('button', { name: 'Undo', exact: true }).click()
    await seeStock(linked, 1, 7)
    await book(linked, 1, 8)
    await linked.getByRole('button', { name: 'Reset', exact: true }).click()
    await linked.getByText('Reset to sold-out').waitFor()
    await seeStock(linked, 1, 7)
    const unknown = await openTab('?fixture=4.yaml')
    const reason =
      'The fixture “4.yaml” in the address of this page is not known. Did you mean 40.yaml? Known: 40.yaml, 5'
    await unknown.getByRole('alert').getByText(reason).waitFor()
  })

  test('says that a stock is too large for a link', async () => {
    const { inventory } = generateFixture({ pets: 20_000 })
    const fixtures = { 'large.json': JSON.stringify({ inventory }) }
    const { page } = await openDemo(browser(), { files: build({ fixtures }) })
    await page.getByRole('button', { name: 'Save and share' }).click()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('alert').getByText('The stock is too large for a link').waitFor()
  })
})
