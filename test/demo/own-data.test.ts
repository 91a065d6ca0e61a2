import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { withDemoData } from '../../src/cli/commands/demo.ts'
import type { DemoData } from '../../src/runtimes/shared/demo-data.ts'
import { startBrowser } from '../console/open-console.ts'
import { book, openDemo, seeStock } from './open-demo.ts'

const browser = startBrowser()

const BUILT = new URL('../../dist/demo/', import.meta.url)
const names = await readdir(BUILT)
const built = new Map(
  await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, BUILT))] as const)),
)

/** The files of the demo with 40 of pet 1. */
function build(data: Partial<DemoData> = {}): ReadonlyMap<string, string> {
  const fixture = '{"inventory":[{"petId":1,"quantity":40,"status":"available"}]}'
  const files = withDemoData(built, { id: 'first', apiKey: 'shop-key', name: 'pets.json', fixture, ...data })
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

  test('is back after a link to its own fixture', async () => {
    const { page, openTab } = await openDemo(browser(), { files: build() })
    await book(page, 1, 41)
    const linked = await openTab('?fixture=pets.json')
    await linked.getByText('Loaded pets.json').waitFor()
    await seeStock(linked, 1, 40)
    await seeStock(page, 1, 40)
  })

  test('keeps changes, until its data are others', async () => {
    const { page, site, openTab } = await openDemo(browser(), { files: build() })
    await book(page, 1, 41)
    await page.reload()
    await seeStock(page, 1, 41)
    const fixture = '{"inventory":[{"petId":1,"quantity":80,"status":"available"}]}'
    for (const [name, content] of build({ id: 'other', fixture })) site.files.set(name, content)
    const later = await openTab()
    await seeStock(later, 1, 80)
    await seeStock(page, 1, 80)
  })
})
