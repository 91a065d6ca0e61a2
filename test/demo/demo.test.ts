import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { fieldOf, openRequest, startBrowser, stockOf } from '../console/open-console.ts'
import { book, openDemo, seeStock } from './open-demo.ts'

const browser = startBrowser()

describe('the demo', () => {
  test('opens with seeded data, and is live', async () => {
    const { page } = await openDemo(browser())
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByText('10 pets').waitFor()
    await seeStock(page, 1, 12)
    await page.getByRole('button', { name: 'Keep changes', pressed: true }).waitFor()
  })

  test('an edit goes through the service, into the journal and the picture', async () => {
    const { page } = await openDemo(browser())
    await book(page, 2, 64)
    await page.getByRole('button', { name: /PATCH \/v1\/inventory\/2 200/ }).waitFor()
    await page.getByRole('button', { name: 'all 1' }).waitFor()
  })

  test('what the service refuses is explained beside the field, with its 400', async () => {
    const { page } = await openDemo(browser())
    await stockOf(page, 2).click()
    await fieldOf(page, 2).fill('five')
    await fieldOf(page, 2).press('Enter')
    await page.getByText('400 · quantity must be an integer, got "five" (string)').waitFor()
    await fieldOf(page, 2).press('Escape')
    await seeStock(page, 2, 3)
  })

  test('a wrong key is explained with the key of the demo', async () => {
    const { page } = await openDemo(browser())
    await page.getByLabel('API key').fill('other-key')
    await stockOf(page, 2).click()
    await fieldOf(page, 2).fill('20')
    await fieldOf(page, 2).press('Enter')
    await page.getByText('Invalid API key (401). Enter demo-key, the key of this demo.').waitFor()
  })

  test('an outage that is switched on strikes, and is over when it is switched off', async () => {
    const { page } = await openDemo(browser())
    await page.getByRole('button', { name: 'Outage 503' }).click()
    await page.getByText('Every request: 503').waitFor()
    await stockOf(page, 1).click()
    await fieldOf(page, 1).fill('5')
    await fieldOf(page, 1).press('Enter')
    await page.getByText(/^503 · /).waitFor()
    await page.getByRole('button', { name: 'Outage 503' }).click()
    await page.getByText('Every request: 503').waitFor({ state: 'detached' })
    await fieldOf(page, 1).press('Enter')
    await seeStock(page, 1, 5)
  })

  test('a connection that is reset looks to the page as it does over a network', async () => {
    const { page } = await openDemo(browser())
    await page.getByRole('button', { name: 'Connection reset' }).click()
    await page.getByText('Every request: connection reset').waitFor()
    await stockOf(page, 1).click()
    await fieldOf(page, 1).fill('5')
    await fieldOf(page, 1).press('Enter')
    await page.getByText('The connection broke before a response came').waitFor()
  })

  test('a request is copied for the developer console of the page, where it does the same again', async () => {
    const { page } = await openDemo(browser(), { context: { permissions: ['clipboard-read', 'clipboard-write'] } })
    await book(page, 2, 64)
    const details = await openRequest(page, 'PATCH /v1/inventory/2', 200)
    await details.getByRole('button', { name: 'Copy' }).click()
    // No shell can reach the mock.
    expect(await page.getByRole('button', { name: 'curl' }).count()).toBe(0)
    await page.getByRole('button', { name: 'fetch' }).click()
    await page.getByText('Copied as fetch').waitFor()
    const statement = await page.evaluate(() => navigator.clipboard.readText())
    await page.getByRole('button', { name: 'Close' }).click()
    await book(page, 2, 65)
    expect(await page.evaluate(`(async () => (${statement}).status)()`)).toBe(200)
    await seeStock(page, 2, 64)
  })

  test('a sandbox has a state of its own', async () => {
    const { page, openTab } = await openDemo(browser())
    await book(page, 1, 64)
    const sandbox = await openTab('?sandbox=other')
    await seeStock(sandbox, 1, 12)
    await book(sandbox, 1, 65)
    await seeStock(page, 1, 64)
  })

  test('asks its site for nothing but its own files', async () => {
    const { page, site } = await openDemo(browser())
    await book(page, 1, 64)
    const own = [...site.files.keys(), ''].map((name) => `200 /${name}`)
    expect(site.log.filter((line) => !own.includes(line))).toEqual([])
  })
})

describe('what becomes of changes', () => {
  test('they survive a reload', async () => {
    const { page } = await openDemo(browser())
    await book(page, 1, 64)
    await page.reload()
    await seeStock(page, 1, 64)
  })

  test('they survive the closing of the tab right after the answer', async () => {
    const { page, openTab } = await openDemo(browser())
    await book(page, 1, 64)
    await page.close()
    await seeStock(await openTab(), 1, 64)
  })

  test('all is as at the start on demand, in every sandbox, and stays so', async () => {
    const { page, openTab } = await openDemo(browser())
    await book(page, 1, 64)
    const other = await openTab('?sandbox=other')
    await book(other, 1, 65)
    await page.getByRole('button', { name: 'Start again from the seed' }).click()
    await page.getByRole('status').getByText('Started again from the seed').waitFor()
    await seeStock(page, 1, 12)
    await seeStock(other, 1, 12)
    await page.reload()
    await seeStock(page, 1, 12)
  })

  test('switched off, they are the tab’s own and gone with a reload; what was kept before comes back', async () => {
    const { page, openTab } = await openDemo(browser())
    await book(page, 1, 64)
    await switchKeeping(page, 'off')
    await seeStock(page, 1, 64)
    await book(page, 1, 65)
    await page.getByText('Changes are in this tab only').waitFor()
    await page.reload()
    await seeStock(page, 1, 12)
    await page.getByRole('button', { name: 'Keep changes', pressed: false }).waitFor()
    await seeStock(await openTab(), 1, 12)
    await switchKeeping(page, 'on')
    await seeStock(page, 1, 64)
    await book(page, 1, 66)
    await page.reload()
    await seeStock(page, 1, 66)
  })

  test('the switch keeps the focus, for those who use the keyboard', async () => {
    const { page } = await openDemo(browser())
    await seeStock(page, 1, 12)
    await page.getByRole('button', { name: 'Keep changes' }).press('Space')
    await page.getByRole('button', { name: 'Keep changes', pressed: false }).waitFor()
    // The demo may still be restarting: the second change follows the first.
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Keep changes', pressed: true }).waitFor()
    await page.locator('#console:not([inert])').waitFor()
    await book(page, 1, 64)
    await page.reload()
    await seeStock(page, 1, 64)
  })
})

describe('two tabs', () => {
  test('show one state, and what one changes is there in the other at once', async () => {
    const { page, openTab } = await openDemo(browser())
    await book(page, 1, 64)
    const later = await openTab()
    await seeStock(later, 1, 64)
    await book(later, 2, 65)
    await seeStock(page, 2, 65)
    await book(page, 3, 66)
    await seeStock(later, 3, 66)
    await later.getByRole('button', { name: 'Reset', exact: true }).click()
    await seeStock(page, 1, 12)
  })

  test('have a journal and faults of their own', async () => {
    const { page, openTab } = await openDemo(browser())
    const other = await openTab()
    await other.getByRole('button', { name: 'Outage 503' }).click()
    await other.getByText('Every request: 503').waitFor()
    await book(page, 1, 64)
    await seeStock(other, 1, 64)
    await other.getByText('No requests yet').waitFor()
  })

  test('of which one is closed: the other goes on', async () => {
    const { page, openTab } = await openDemo(browser())
    const other = await openTab()
    await seeStock(other, 1, 12)
    await page.close()
    await book(other, 1, 64)
  })
})

async function switchKeeping(page: Page, to: 'on' | 'off'): Promise<void> {
  await page.getByRole('button', { name: 'Keep changes', pressed: to === 'off' }).click()
  await page.getByRole('button', { name: 'Keep changes', pressed: to === 'on' }).waitFor()
  await page.locator('#console:not([inert])').waitFor()
}
