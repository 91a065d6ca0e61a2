import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { button, describeUndo, load, openFile, undo } from './describe-undo.ts'
import { edit, fieldOf, openConsole, send, stockOf } from './open-console.ts'

const browser = useChromium()

describeUndo([
  ['an edited quantity', 'Pet 5 has 77 in stock', (page) => edit(page, 5, '77')],
  ['a paste', '2 pets added, 1 changed', (page) => paste(page, '9223372036854775807 7 sold\n5 1 pending\n11 0 sold')],
])

describe('Undo in the notice of an action', () => {
  test('takes back a file that was opened over another, also for the next reset', async () => {
    const { page, mock } = await openConsole(browser())
    await stockOf(page, 1).waitFor()
    await openFile(page, '{"inventory":[{"petId":1,"quantity":11,"status":"sold"}]}')
    await page.getByText('File loaded').waitFor()
    await button(page, 'Dismiss').click()
    await openFile(page, '{"inventory":[{"petId":2,"quantity":22,"status":"sold"}]}')
    await page.getByText('File loaded').waitFor()
    await undo(page).click()
    await page.getByText('Undone: File loaded').waitFor()
    mock.inventory.set(1, { quantity: 0 })
    await button(page, 'Reset').click()
    await page.getByText('Reset to').waitFor()
    expect(mock.inventory.list()).toEqual([{ petId: 1, quantity: 11, status: 'sold' }])
  })

  test('takes back a reset: stock, faults and latency, and says what is not', async () => {
    const { page, mock, server } = await openConsole(browser(), { mock: { fixture: 'int64-edges' } })
    await send(server, 'PATCH', '/v1/inventory/9223372036854775807', { body: '{"quantity":9007199254740991}' })
    mock.inventory.remove(0)
    mock.faults.add({ operation: 'updateInventory', petId: '9223372036854775807', status: 429, times: 3 })
    mock.faults.add({ status: 503, body: { a: 5 }, probability: 0 })
    mock.setDelay([1, 2])
    mock.faults.add({ path: '/x', statuses: [500, 500], times: 2 })
    for (const target of ['/v1/x', '/v1/x', '/v1/inventory/9223372036854775807'])
      await send(server, 'PATCH', target, { body: '{"quantity":1}' })
    const before = mock.inventory.list()
    await page.getByRole('button', { name: /PATCH .* 429/ }).waitFor()
    await button(page, 'Reset').click()
    await page.getByText('Reset to int64-edges: stock, faults, latency and requests').waitFor()
    expect([mock.inventory.list(), mock.faults.list()]).not.toEqual([before, []])
    await undo(page).click()
    await page
      .getByText('Reset undone. Not restored: the requests, handlers of a program, the random sequence')
      .waitFor()
    expect(mock.inventory.list()).toEqual(before)
    expect(mock.faults.list()).toEqual([
      { id: 4, used: 0, operation: 'updateInventory', petId: 9223372036854775807n, status: 429, times: 2 },
      { id: 5, used: 0, status: 503, body: { a: 5 }, probability: 0 },
      { id: 6, used: 0, path: '/x', statuses: [500, 500], times: 2 },
    ])
    expect(await (await fetch(`${server.url}/_mock/delay`)).json()).toEqual({ delay: [1, 2] })
    await button(page, 'Reset').click()
    await undo(page).waitFor()
    mock.inventory.remove(0)
    await undo(page).waitFor({ state: 'detached' })
  })

  test('is no longer offered once anybody has changed the stock', async () => {
    const { page, mock, server } = await openConsole(browser())
    for (const change of [
      () => mock.inventory.set(5, { quantity: 3 }),
      () => send(server, 'PATCH', '/v1/inventory/1', { body: '{"quantity":9}' }),
      () => mock.inventory.remove(2),
      () => mock.load('sold-out'),
    ]) {
      await load(page, 'low-stock')
      await undo(page).waitFor()
      await change()
      await undo(page).waitFor({ state: 'detached' })
      await page.getByText('Loaded low-stock').waitFor()
      const after = mock.inventory.list()
      await page.keyboard.press('Control+z')
      await button(page, 'Reset').click()
      await page.getByText('Reset to').waitFor()
      await undo(page).click()
      await page.getByText('Reset undone').waitFor()
      expect(mock.inventory.list()).toEqual(after)
    }
  })

  test('is Ctrl+Z, but not while one types', async () => {
    const { page, mock } = await openConsole(browser())
    await stockOf(page, 1).waitFor()
    await load(page, 'low-stock')
    await undo(page).waitFor()
    await stockOf(page, 5).click()
    await fieldOf(page, 5).press('Control+z')
    await fieldOf(page, 5).press('Escape')
    expect(mock.inventory.get(5)?.quantity).toBe(1)
    await page.keyboard.press('Control+z')
    await page.getByText('Undone: Loaded low-stock').waitFor()
    expect(mock.inventory.get(5)?.quantity).toBe(25)
  })
})

async function paste(page: Page, text: string): Promise<void> {
  await button(page, 'Add…').click()
  await page.getByLabel('Pets to add').fill(text)
  await button(page, 'Add pets').click()
}
