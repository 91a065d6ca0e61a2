import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { edit, fieldOf, openConsole, send, stockOf } from './open-console.ts'

const browser = useChromium()

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const history = (page: Page) => page.getByRole('region', { name: 'History' })
/** The Undo of the last action. */
const undo = (page: Page) => page.locator('.notices').getByRole('button', { name: 'Undo' })

describe('what is undone on the console', () => {
  test('every change of the stock, step by step, and made again', async () => {
    const { page, mock } = await openConsole(browser())
    await edit(page, 5, '77')
    await page.getByText('Pet 5 has 77 in stock').waitFor()
    mock.inventory.remove(3)
    await load(page, 'low-stock')
    await button(page, 'Undo').click()
    await page.getByText('Undone: Stock replaced').waitFor()
    await expect.poll(() => page.getByLabel('Fixture').inputValue()).toBe('default')
    await button(page, 'Undo').click()
    await page.getByText('Undone: Pet 3 removed: 0 sold').waitFor()
    await button(page, 'Undo').click()
    await page.getByText('Undone: Pet 5: 25 to 77').waitFor()
    await expect.poll(() => stockOf(page, 5).innerText()).toBe('25')
    await button(page, 'Undo').click()
    await page.getByText('Nothing to undo').waitFor()
    await button(page, 'Redo').click()
    await page.getByText('Redone: Pet 5: 25 to 77').waitFor()
    await expect.poll(() => stockOf(page, 5).innerText()).toBe('77')
    expect(mock.inventory.get(5)?.quantity).toBe(77)
  })

  test('from the list of changes, which says what made each', async () => {
    const { page, mock, server } = await openConsole(browser(), { mock: { fixture: 'int64-edges' } })
    await button(page, 'History').click()
    await page.getByText('No changes yet').waitFor()
    await edit(page, '9007199254740993', '1234')
    await page.getByText('Pet 9007199254740993 has 1,234 in stock').waitFor()
    expect(mock.inventory.get('9007199254740992')?.quantity).toBe(7)
    mock.inventory.set(0, { status: 'pending' })
    await send(server, 'PATCH', '/v1/inventory/0', { body: '{"quantity":9}' })
    mock.inventory.add({ petId: 77, quantity: 5, status: 'sold' })
    const lines = history(page).getByRole('listitem')
    await expect
      .poll(() => lines.allInnerTexts().then((texts) => texts.map((text) => text.replaceAll('\n', ' '))))
      .toEqual([
        'Pet 77 added: 5 sold a program Undo to here',
        expect.stringMatching(/^Pet 0: .* to 9 request 2 Undo to here$/),
        expect.stringMatching(/^Pet 0: .* to pending a program Undo to here$/),
        expect.stringMatching(/^Pet 9007199254740993: .* to 1,234 request 1 Undo to here$/),
      ])
    await button(page, 'request 1').click()
    await page.getByRole('region', { name: 'PATCH /v1/inventory/9007199254740993' }).waitFor()
    await button(page, 'Undo to here: change 4').press('Enter')
    await page.locator(':focus').and(button(page, 'Undo to here: change 3')).waitFor()
    await button(page, 'Redo').click()
    await button(page, 'Undo to here: change 2').press('Enter')
    await page.getByText('3 changes undone').waitFor()
    await page.locator(':focus').and(button(page, 'Undo to here: change 1')).waitFor()
    expect(mock.history.list().map(({ isUndone }) => isUndone)).toEqual([false, true, true, true])
    await expect.poll(() => history(page).getByText('undone').count()).toBe(3)
    mock.journal.clear()
    await button(page, 'request 2').click()
    await page.getByText('Request 2 is no longer in the journal').waitFor()
    await button(page, 'History').click()
    await expect.poll(() => lines.count()).toBe(0)
  })

  test('a reset: stock, faults and latency are back in the mock, and the page says what is not', async () => {
    const { page, mock, server } = await openConsole(browser(), { mock: { fixture: 'int64-edges' } })
    await send(server, 'PATCH', '/v1/inventory/9223372036854775807', { body: '{"quantity":9007199254740991}' })
    mock.inventory.remove(0)
    mock.faults.add({ operation: 'updateInventory', petId: '9223372036854775807', status: 429, times: 3 })
    mock.faults.add({ status: 503, body: { big: 9007199254740993n }, probability: 0 })
    mock.setDelay([1, 2])
    mock.faults.add({ path: '/x', statuses: [500, 500], times: 2 })
    for (const target of ['/v1/x', '/v1/x', '/v1/inventory/9223372036854775807'])
      await send(server, 'PATCH', target, { body: '{"quantity":1}' })
    const before = mock.inventory.list()
    await page.getByRole('button', { name: /PATCH .* 429/ }).waitFor()
    await button(page, 'Reset').click()
    await page.getByText('Reset to int64-edges: stock, faults, latency and journal').waitFor()
    expect([mock.inventory.list(), mock.faults.list()]).not.toEqual([before, []])
    await undo(page).click()
    await page
      .getByText('Reset undone. Not restored: the journal, handlers of a program, the random sequence')
      .waitFor()
    expect(mock.inventory.list()).toEqual(before)
    expect(mock.faults.list()).toEqual([
      { id: 4, used: 0, operation: 'updateInventory', petId: 9223372036854775807n, status: 429, times: 2 },
      { id: 5, used: 0, status: 503, body: { big: 9007199254740993n }, probability: 0 },
      { id: 6, used: 0, path: '/x', statuses: [500, 500], times: 2 },
    ])
    expect(await (await fetch(`${server.url}/_mock/delay`)).json()).toEqual({ delay: [1, 2] })
    for (const name of ['Remove all faults', 'Redo']) {
      await button(page, name).click()
      await page.getByText('All faults removed').waitFor()
      expect([mock.inventory.list(), mock.faults.list()]).toEqual([before, []])
      await undo(page).click()
      await page.getByText('Removal undone').waitFor()
      expect(mock.faults.list()).toMatchObject([{ status: 429, times: 2 }, { probability: 0 }, { times: 2 }])
    }
    mock.inventory.remove('9223372036854775807')
    await button(page, 'Redo').click()
    await page.getByText('Nothing to redo').waitFor()
    expect(mock.faults.list()).toHaveLength(3)
  })

  test('with Ctrl+Z, and again with Shift, but not while one types', async () => {
    const { page, mock, server } = await openConsole(browser())
    await stockOf(page, 1).waitFor()
    await load(page, 'low-stock')
    await stockOf(page, 5).click()
    await fieldOf(page, 5).press('Control+z')
    await fieldOf(page, 5).press('Escape')
    expect(mock.inventory.get(5)?.quantity).toBe(1)
    await page.keyboard.press('Control+z')
    await page.getByText('Undone: Stock replaced').waitFor()
    expect(mock.inventory.get(5)?.quantity).toBe(25)
    await page.keyboard.press('Control+Shift+z')
    await page.getByText('Redone: Stock replaced').waitFor()
    expect(mock.inventory.get(5)?.quantity).toBe(1)
    mock.inventory.set(5, { quantity: 3 })
    mock.faults.add({ status: 503, petId: 1 })
    mock.setDelay(20)
    await button(page, 'Remove latency').waitFor()
    const seen: (number | undefined)[] = []
    mock.onChange(() => seen.push(mock.inventory.get(5)?.quantity))
    await button(page, 'Reset').click()
    await page.getByText('Reset to low-stock: stock').waitFor()
    const readDelay = async () => (await fetch(`${server.url}/_mock/delay`)).json()
    const read = async () => [mock.inventory.get(5)?.quantity, mock.faults.list().length, await readDelay()]
    for (let times = 0; times < 2; times += 1) {
      await page.keyboard.press('Control+z')
      await page.getByText('Reset undone.').waitFor()
      expect([...(await read()), await undo(page).count()]).toEqual([3, 1, { delay: 20 }, 0])
      await page.keyboard.press('Control+Shift+z')
      await page.getByText('Reset to low-stock: stock').waitFor()
      expect(await read()).toEqual([1, 0, { delay: null }])
    }
    expect(seen).toEqual([1, 3, 1, 3, 1])
  })

  test('is offered until it is dismissed', async () => {
    const { page } = await openConsole(browser())
    await page.clock.install()
    await stockOf(page, 1).waitFor()
    await button(page, 'Reset').click()
    await undo(page).waitFor()
    await page.clock.runFor(60_000)
    await button(page, 'Dismiss').click()
    await undo(page).waitFor({ state: 'detached' })
  })
})

async function load(page: Page, fixture: string): Promise<void> {
  await page.getByLabel('Fixture').selectOption(fixture)
  await button(page, 'Load').click()
  await page.getByText(`Loaded ${fixture}`).waitFor()
}
