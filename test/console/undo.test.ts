import type { Browser, Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import { fieldOf, openConsole, send, startBrowser, stockOf } from './open-console.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
  return () => browser.close()
})

const undo = (page: Page) => page.getByRole('button', { name: 'Undo' })

describe('what is undone on the console', () => {
  test('a reset: stock, faults and latency are back in the mock, and the page says what is not', async () => {
    const { page, mock, server } = await openConsole(browser, { mock: { fixture: 'int64-edges' } })
    await send(server, 'PATCH', '/v1/inventory/9223372036854775807', { body: '{"quantity":9007199254740991}' })
    mock.inventory.remove(0)
    mock.faults.add({ operation: 'updateInventory', petId: '9223372036854775807', status: 429, times: 3 })
    mock.faults.add({ status: 503, body: { big: 9007199254740993n }, probability: 0 })
    mock.setDelay([1, 2])
    expect((await send(server, 'PATCH', '/v1/inventory/9223372036854775807', { body: '{"quantity":1}' })).status).toBe(
      429,
    )
    const before = mock.inventory.list()
    await page.getByRole('button', { name: /PATCH .* 429/ }).waitFor()
    await page.getByRole('button', { name: 'Reset', exact: true }).click()
    await page.getByText('Stock, faults, latency and journal reset').waitFor()
    expect([mock.inventory.list(), mock.faults.list()]).not.toEqual([before, []])
    await undo(page).click()
    await page
      .getByText(
        'Reset undone. Not restored: the fixture’s name (int64-edges), how often faults were triggered, the journal, handlers that a program added, the random sequence.',
      )
      .waitFor()
    expect(mock.inventory.list()).toEqual(before)
    expect(mock.faults.list()).toEqual([
      { id: 3, used: 0, operation: 'updateInventory', petId: 9223372036854775807n, status: 429, times: 2 },
      { id: 4, used: 0, status: 503, body: { big: 9007199254740993n }, probability: 0 },
    ])
    const delay = await (await fetch(`${server.url}/_mock/delay`)).json()
    expect(delay).toEqual({ delay: [1, 2] })
  })

  test('a fixture that was loaded, by its name where the one before was shipped', async () => {
    const { page, mock } = await openConsole(browser)
    await stockOf(page, 5).waitFor()
    await load(page, 'low-stock')
    await expect.poll(() => stockOf(page, 5).innerText()).toBe('1')
    await undo(page).click()
    await page.getByText('Load undone.', { exact: true }).waitFor()
    await expect.poll(() => stockOf(page, 5).innerText()).toBe('25')
    await expect.poll(() => page.getByLabel('Fixture').inputValue()).toBe('default')
    mock.inventory.set(5, { quantity: 77 })
    await expect.poll(() => stockOf(page, 5).innerText()).toBe('77')
    await load(page, 'empty')
    await undo(page).click()
    await page.getByText('Load undone. Not restored: the fixture’s name (default).').waitFor()
    await expect.poll(() => stockOf(page, 5).innerText()).toBe('77')
    expect(mock.inventory.list()).toHaveLength(10)
  })

  test('the removal of all faults', async () => {
    const { page, mock } = await openConsole(browser)
    mock.faults.add({ status: 503 })
    mock.faults.add({ error: 'reset', petId: 3 })
    await page.getByRole('button', { name: 'Remove all faults' }).click()
    await page.getByText('All faults removed').waitFor()
    expect(mock.faults.list()).toEqual([])
    await undo(page).click()
    await page.getByText('Removal undone.').waitFor()
    expect(mock.faults.list()).toMatchObject([{ status: 503 }, { error: 'reset', petId: 3 }])
  })

  test('with Ctrl+Z, but not while one types, and once', async () => {
    const { page, mock } = await openConsole(browser)
    await stockOf(page, 1).waitFor()
    await load(page, 'low-stock')
    await undo(page).waitFor()
    await stockOf(page, 5).click()
    await fieldOf(page, 5).press('Control+z')
    await fieldOf(page, 5).press('Escape')
    expect(mock.inventory.get(5)?.quantity).toBe(1)
    await page.keyboard.press('Control+z')
    await page.getByText('Load undone.').waitFor()
    expect(mock.inventory.get(5)?.quantity).toBe(25)
    expect(await undo(page).count()).toBe(0)
    await page.keyboard.press('Control+z')
    await page.getByText('Load undone.').waitFor()
  })

  test('is offered until it is dismissed, or for 20 seconds of which none count under the pointer', async () => {
    const { page } = await openConsole(browser)
    await page.clock.install()
    await stockOf(page, 1).waitFor()
    await load(page, 'low-stock')
    await undo(page).hover()
    await page.clock.runFor(60_000)
    expect(await undo(page).count()).toBe(1)
    await page.mouse.move(5, 5)
    await page.clock.runFor(19_000)
    expect(await undo(page).count()).toBe(1)
    await page.clock.runFor(2000)
    await undo(page).waitFor({ state: 'detached' })
    await load(page, 'empty')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await undo(page).waitFor({ state: 'detached' })
  })

  test('is said to have failed where the mock is gone', async () => {
    const { page, server } = await openConsole(browser)
    await stockOf(page, 1).waitFor()
    await load(page, 'low-stock')
    await undo(page).waitFor()
    await server.close()
    await undo(page).click()
    await page.getByText('The connection broke before a response came').waitFor()
  })
})

async function load(page: Page, fixture: string): Promise<void> {
  await page.getByLabel('Fixture').selectOption(fixture)
  await page.getByRole('button', { name: 'Load' }).click()
  await page.getByText(`Loaded ${fixture}`).waitFor()
}
