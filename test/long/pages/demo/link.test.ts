import { describe, expect, test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { COPYING, copyLink } from '../../../demo/copy-link.ts'
import { book, openDemo, seeStock } from '../../../demo/open-demo.ts'

const browser = useChromium()

describe('a link to the demo', () => {
  test('?fixture=low-stock&sandbox=review leaves the other sandboxes alone', async () => {
    const { page, openTab } = await openDemo(browser())
    const linked = await openTab('?fixture=low-stock&sandbox=review')
    await seeStock(linked, 1, 1)
    expect(new URL(linked.url()).search).toBe('?sandbox=review')
    await seeStock(page, 1, 12)
  })

  test.each([
    ['?fixture=', 'The fixture “” in the address of this page is not known. Known: default, empty'],
    ['?sandbox=a/b&fixture=low-stock', 'Invalid sandbox name “a/b”'],
  ])('%s is refused, and changes nothing', async (query, reason) => {
    const { openTab } = await openDemo(browser())
    const page = await openTab(query)
    await page.getByRole('alert').getByText(reason).waitFor()
    await seeStock(page, 1, 12)
  })

  test('to a state that is damaged, incomplete, of another release or too long says so, and changes nothing', async () => {
    const { page, openTab } = await openDemo(browser(), COPYING)
    await book(page, 1, 64)
    const { hash } = new URL(await copyLink(page))
    await book(page, 1, 65)
    for (const [wrong, reason] of [
      [hash.replace(/.(?=.{40}$)/, (each) => (each === 'A' ? 'B' : 'A')), 'The link is damaged or incomplete.'],
      [hash.slice(0, -20), 'The link is damaged or incomplete.'],
      ['#state=', 'The link is damaged or incomplete.'],
      [hash.replace(/\d+/, '1'), 'The link is of another release: its version is 1, not 5.'],
      [hash.padEnd(40_000, 'A'), 'The link is longer than 32000 characters.'],
    ] as const) {
      const opened = await openTab(wrong)
      await opened.getByRole('alert').getByText(`${reason} The demo opens without it.`).waitFor()
      await seeStock(opened, 1, 65)
      await opened.close()
    }
  })
})
