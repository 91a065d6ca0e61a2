import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { COPYING, copyLink } from './copy-link.ts'
import { book, openDemo, seeStock } from './open-demo.ts'

const browser = useChromium()

test('a form or link of another site neither controls the mock nor runs a script', async () => {
  const { page, profile, site } = await openDemo(browser())
  await book(page, 1, 64)
  const foreign = await profile.newPage()
  await foreign.setContent(`<form method="post" action="${site.url}_mock/reset"><button>Go</button></form>`)
  const posted = foreign.waitForResponse(/_mock/)
  await foreign.getByRole('button').click()
  expect((await posted).status()).toBe(403)
  await seeStock(page, 1, 64)
  const shown = page.waitForResponse(/v1\/inventory$/)
  await page.evaluate(() =>
    document.body.append(Object.assign(document.createElement('iframe'), { src: 'v1/inventory' })),
  )
  expect((await shown).headers()).toMatchObject({ 'content-security-policy': 'sandbox' })
})

describe('a link to the demo', () => {
  test.each([
    [
      '?fixture=low-stok',
      'The fixture “low-stok” in the address of this page is not known. Did you mean low-stock? Known: default',
    ],
  ])('%s is refused, and changes nothing', async (query, reason) => {
    const { openTab } = await openDemo(browser())
    const page = await openTab(query)
    await page.getByRole('alert').getByText(reason).waitFor()
    await seeStock(page, 1, 12)
  })
})

describe('a link to a state', () => {
  /** Everything on the page that a link carries. */
  async function readScreen(page: Page): Promise<unknown> {
    await page.getByText('Live', { exact: true }).waitFor()
    const texts = ['row', 'listitem'] as const
    const [rows, items] = await Promise.all(texts.map((role) => page.getByRole(role).allInnerTexts()))
    const pressed = await page.getByRole('button', { pressed: true }).allInnerTexts()
    const { search } = new URL(page.url())
    return { rows, items, pressed, sandbox: await page.getByLabel('Sandbox').inputValue(), search }
  }

  test('opens in another browser to what was on the screen, again in the same tab, and is undone', async () => {
    const { page } = await openDemo(browser(), { ...COPYING, path: '?sandbox=review&find=unmatched' })
    await book(page, 1, 64)
    await page.getByRole('button', { name: 'Add…' }).click()
    await page.getByLabel('Pets to add').fill('9223372036854775807 5 pending')
    await page.getByRole('button', { name: 'Add pets' }).click()
    await page.getByText('Pet 9223372036854775807 added').waitFor()
    await page.getByRole('button', { name: 'Slow 1 s' }).click()
    await page.getByRole('button', { name: 'Timeout' }).click()
    await page.getByText('Every request: no response').waitFor()
    const link = await copyLink(page)
    expect(link).not.toContain('key')
    const { search, hash } = new URL(link)
    const { page: other } = await openDemo(browser(), { path: search + hash })
    await other.getByText('Opened with stock, faults and latency of the link').waitFor()
    expect(await readScreen(other)).toEqual(await readScreen(page))
    await other.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await other.getByText('The state before the link is back').waitFor()
    await seeStock(other, 1, 12)
    expect(await other.getByText('Every request').count()).toBe(0)
    await other.goto(new URL(hash, other.url()).href)
    await seeStock(other, 1, 64)
    expect(new URL(other.url()).hash).toBe('#step=0')
  })
})
