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

  test('to a state that is damaged or incomplete says so, and changes nothing', async () => {
    const { page, openTab } = await openDemo(browser(), COPYING)
    await book(page, 1, 64)
    const { hash } = new URL(await copyLink(page))
    await book(page, 1, 65)
    const damaged = hash.replace(/.(?=.{40}$)/, (each) => (each === 'A' ? 'B' : 'A'))
    for (const wrong of [damaged, hash.slice(0, -20), '#state=']) {
      const opened = await openTab(wrong)
      const reason = 'The link is damaged or incomplete. The demo opens without it.'
      await opened.getByRole('alert').getByText(reason).waitFor()
      await seeStock(opened, 1, 65)
      await opened.close()
    }
  })
})
