import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { startBrowser } from '../console/open-console.ts'
import { book, openDemo, seeStock } from './open-demo.ts'

const browser = startBrowser()

describe('a link to the demo', () => {
  test('?fixture=low-stock loads that fixture once, and Undo restores the stock', async () => {
    const { page, openTab } = await openDemo(browser())
    await book(page, 1, 64)
    const linked = await openTab('?fixture=low-stock')
    await linked.getByText('Loaded low-stock').waitFor()
    await seeStock(linked, 1, 1)
    await seeStock(page, 1, 1)
    expect(searchOf(linked)).toBe('')
    await book(linked, 2, 65)
    await linked.reload()
    await seeStock(linked, 2, 65)
    await seeStock(linked, 1, 1)
    const again = await openTab('?fixture=sold-out')
    await again.getByText('Loaded sold-out').waitFor()
    await seeStock(again, 2, 0)
    await again.getByRole('button', { name: 'Undo', exact: true }).click()
    await seeStock(again, 2, 65)
  })

  test('?fixture=low-stock&sandbox=review leaves the other sandboxes alone', async () => {
    const { page, openTab } = await openDemo(browser())
    const linked = await openTab('?fixture=low-stock&sandbox=review')
    await seeStock(linked, 1, 1)
    expect(searchOf(linked)).toBe('?sandbox=review')
    await seeStock(page, 1, 12)
  })

  test.each([
    ['?fixture=low-stok', 'there is none named "low-stok". Use one of default, empty, low-stock'],
    ['?fixture=', 'there is none named "". Use one of'],
    ['?fixtur=low-stock', 'Unknown parameter “fixtur” in the address of this page. Did you mean fixture?'],
    ['?sandbx=t1&fixture=low-stock', 'Unknown parameter “sandbx” in the address of this page. Did you mean sandbox?'],
    ['?sandbox=a/b&fixture=low-stock', 'Invalid sandbox name “a/b”'],
  ])('%s is refused, and changes nothing', async (query, reason) => {
    const { openTab } = await openDemo(browser())
    const page = await openTab(query)
    await page.getByRole('alert').getByText(reason).waitFor()
    await seeStock(page, 1, 12)
  })

  test('?utm_source=letter is of no concern to the demo', async () => {
    const { openTab } = await openDemo(browser())
    const page = await openTab('?utm_source=letter')
    await seeStock(page, 1, 12)
    expect(await page.getByText('Unknown parameter').count()).toBe(0)
  })
})

function searchOf(page: Page): string {
  return new URL(page.url()).search
}
