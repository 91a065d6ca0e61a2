import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { withDemoData } from '../../src/cli/commands/demo.ts'
import type { DemoData } from '../../src/runtimes/shared/demo-data.ts'
import { generateFixture } from '../../src/store/generate-fixture.ts'
import { startBrowser } from '../console/open-console.ts'
import { book, openDemo, seeStock } from './open-demo.ts'

const browser = startBrowser()

const BUILT = new URL('../../dist/demo/', import.meta.url)
const names = await readdir(BUILT)
const built = new Map(
  await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, BUILT))] as const)),
)

const pets = (quantity: number): string => `{"inventory":[{"petId":1,"quantity":${quantity},"status":"available"}]}`

/** The files of the demo with 40 of pet 1. */
function build(data: Partial<DemoData> = {}): ReadonlyMap<string, string> {
  const fixtures = [{ name: 'pets.json', pets: 1, fixture: pets(40) }]
  const files = withDemoData(built, { id: 'first', apiKey: 'shop-key', fixtures, ...data })
  return new Map(Array.from(files, ([name, content]) => [name, content.toString()]))
}

describe('the demo with data of its own', () => {
  test('shows them under its title, and its page knows the key', async () => {
    const { page } = await openDemo(browser(), { files: build({ title: 'Ann’s <shop>' }) })
    await page.getByRole('heading', { name: 'Ann’s <shop>' }).waitFor()
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
    const fixtures = [{ name: 'pets.json', pets: 1, fixture: pets(80) }]
    for (const [name, content] of build({ id: 'other', fixtures })) site.files.set(name, content)
    const later = await openTab()
    await seeStock(later, 1, 80)
    await seeStock(page, 1, 80)
  })

  test('has several fixtures to choose from, also in a link', async () => {
    const fixtures = [40, 5].map((quantity) => ({ name: `${quantity}.yaml`, pets: 1, fixture: pets(quantity) }))
    const { page, openTab } = await openDemo(browser(), { files: build({ fixtures }) })
    await book(page, 1, 41)
    await page.getByRole('button', { name: 'Data: 40.yaml' }).click()
    await page.getByRole('button', { name: '5.yaml (1)' }).click()
    await seeStock(page, 1, 5)
    await page.reload()
    await page.getByRole('button', { name: 'Data: 5.yaml' }).waitFor()
    const linked = await openTab('?fixture=40.yaml')
    await seeStock(linked, 1, 40)
    await linked.getByRole('button', { name: 'Undo', exact: true }).click()
    await seeStock(linked, 1, 5)
    await linked.getByRole('button', { name: 'Reset', exact: true }).click()
    await seeStock(linked, 1, 40)
  })

  test('says that a stock is too large for a link', async () => {
    const { inventory } = generateFixture({ pets: 20_000 })
    const fixtures = [{ name: 'large.json', pets: 20_000, fixture: JSON.stringify({ inventory }) }]
    const { page } = await openDemo(browser(), { files: build({ fixtures }) })
    await page.getByRole('button', { name: 'Save and share' }).click()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('alert').getByText('The stock is too large for a link').waitFor()
  })
})
