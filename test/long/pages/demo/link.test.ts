import { describe, expect, test } from 'vitest'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { COPYING, copyLink } from '../../../demo/copy-link.ts'
import { ask, book, openDemo, seeStock } from '../../../demo/open-demo.ts'

const browser = useChromium()

describe('a link to the demo', () => {
  test('?fixture=low-stock loads that fixture once, and Undo restores the stock', async () => {
    const { page, openTab } = await openDemo(browser())
    await book(page, 1, 64)
    const linked = await openTab('?fixture=low-stock')
    await linked.getByText('Loaded low-stock').waitFor()
    await seeStock(linked, 1, 1)
    await ask(page)
    await seeStock(page, 1, 1)
    expect(new URL(linked.url()).search).toBe('')
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
