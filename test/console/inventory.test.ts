import type { Page, Route } from 'playwright'
import { describe, expect, test } from 'vitest'
import { generateFixture } from '../../src/index.ts'
import { useChromium } from '../browser/connect-chromium.ts'
import { edit, fieldOf, openConsole, send, stockOf } from './open-console.ts'

const browser = useChromium()

describe('the stock on the console', () => {
  test('is shown as the mock has it', async () => {
    const { page } = await openConsole(browser())
    await stockOf(page, 5).waitFor()
    expect(await page.getByRole('grid', { name: 'Stock' }).getByRole('row').count()).toBe(11)
    expect(await page.getByRole('row', { name: /^5 / }).innerText()).toMatch(/5\s+available\s+25/)
    const widths = await page.locator('.bar').evaluateAll((bars) => bars.map((bar) => (bar as HTMLElement).style.width))
    expect(widths).toEqual(['48%', '12%', '28%', '100%', '4%', '16%', '72%', '8%'])
  })

  test('of "five" is refused in the words of the mock, beside the field, and so is 5.5', async () => {
    const { page, mock } = await openConsole(browser())
    const row = page.getByRole('row', { name: /^2 / })
    const field = fieldOf(page, 2)
    await edit(page, 2, 'five')
    await row.getByText(/^quantity must be an integer .*, got "five"$/).waitFor()
    await field.fill('5.5')
    await field.press('Enter')
    await row
      .getByRole('alert')
      .getByText(/got 5\.5/)
      .waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await field.getAttribute('aria-describedby')).toBe(await row.getByRole('alert').getAttribute('id'))
    await field.press('Escape')
    expect(await stockOf(page, 2).innerText()).toBe('3')
    expect(mock.inventory.get(2)?.quantity).toBe(3)
  })

  test('can be changed with the keyboard alone', async () => {
    const { page, mock } = await openConsole(browser())
    await stockOf(page, 1).focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await page.keyboard.type('41')
    await page.keyboard.press('Enter')
    await page.getByText('Pet 3 has 41 in stock').waitFor()
    // The focus is back where it was.
    await expect.poll(() => stockOf(page, 3).evaluate((button) => button === document.activeElement)).toBe(true)
    for (const key of ['End', 'Enter']) await page.keyboard.press(key)
    await page.keyboard.type('-8')
    await page.keyboard.press('Enter')
    await page.getByText('Pet 10 has -8 in stock').waitFor()
    for (const key of ['Home', 'Enter']) await page.keyboard.press(key)
    await page.keyboard.type('77')
    await page.keyboard.press('Escape')
    expect([1, 3, 10].map((petId) => mock.inventory.get(petId)?.quantity)).toEqual([12, 41, -8])
  })

  test('leaving the field saves what was typed, once, and nothing where nothing was', async () => {
    const { page, mock } = await openConsole(browser())
    const saved: unknown[] = []
    mock.onChange((change) => saved.push(change))
    await stockOf(page, 4).click()
    await stockOf(page, 2).click()
    await fieldOf(page, 2).fill('9')
    await page.getByRole('heading', { name: 'Inventory' }).click()
    await page.getByText('Pet 2 has 9 in stock').waitFor()
    expect(saved).toMatchObject([{ pet: { petId: 2, quantity: 9 } }])
  })

  test('shows what other clients change, as they change it', async () => {
    const { page, mock, server } = await openConsole(browser())
    await stockOf(page, 7).waitFor()
    await send(server, 'PATCH', '/v1/inventory/7', { body: '{"quantity":321}' })
    await expect.poll(() => stockOf(page, 7).innerText()).toBe('321')
    mock.inventory.add({ petId: 11, quantity: 5, status: 'pending' })
    await stockOf(page, 11).waitFor()
    mock.inventory.remove(1)
    await expect.poll(() => stockOf(page, 1).count()).toBe(0)
    mock.load('empty')
    await page.getByText('No pets. Add some').waitFor()
  })

  test.each([
    ['Pet 11 added', 11, '11 5 pending'],
    [
      '1 pet added, 1 changed',
      2n ** 63n - 1n,
      'petId\tquantity\tstatus\n9223372036854775807\t7\tsold\n5\t1\tpending\n',
    ],
    ['Pet -9223372036854775808 added', -(2n ** 63n), '[{"petId":-9223372036854775808,"quantity":7,"status":"sold"}]'],
    ['Pet 12 added', 12, '{"inventory":[{"petId":"12","quantity":7,"status":"sold"}]}'],
    ['Pet 5 changed', 10, '5 5 pending'],
    [
      '1,490 pets added, 10 changed',
      1500,
      Array.from({ length: 1500 }, (_, index) => `${index + 1} 1 sold`).join('\n'),
    ],
  ])('is added to by hand and by paste: %s', async (words, last, text) => {
    const { page, mock } = await openConsole(browser())
    const seen: string[] = []
    mock.onChange(({ type }) => seen.push(type))
    await addPets(page, text)
    await page.getByText(words).waitFor()
    expect([seen, mock.inventory.list().at(-1)?.petId]).toEqual([['state'], last])
    await page.getByText(`${mock.inventory.size.toLocaleString('en')} pets`, { exact: true }).waitFor()
  })

  test.each([
    [
      'id quantity status\n\n12 5 sold\n13 1.5 sold\n12 1 sold\nx 1 gone',
      [
        /^Line 4: quantity must be an integer .*, got 1\.5$/,
        /^Line 5: petId: 12 is already used by line 3$/,
        /^Line 6: petId must be an int64, got "x"$/,
        /^Line 6: status must be one of .*, got "gone"$/,
      ],
    ],
    ['12 5 sold\n13', [/^Line 2: enter an id, a quantity and a status, not 13$/]],
    [
      '[{"petId":12,"quantity":5,"status":"sold"},{"petId":13}]',
      [/^\[1\]\.quantity is required$/, /^\[1\]\.status is required$/],
    ],
    ['[{"petId":12,', [/^This is not JSON: /]],
  ] as [string, RegExp[]][])('takes nothing of %j, and says why', async (text, reasons) => {
    const { page, mock } = await openConsole(browser())
    const before = mock.inventory.list()
    await addPets(page, text)
    const lines = async () => (await page.locator('.add .error').innerText()).split('\n')
    await expect.poll(lines).toEqual(reasons.map((reason) => expect.stringMatching(reason)))
    expect(mock.inventory.list()).toEqual(before)
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  test.each([
    ['Adding 300 pets…', 300],
    ['Pet 1 has 5 in stock', 299],
  ])('says %j while %i pets are on their way, until they are refused', async (words, count) => {
    const { page } = await openConsole(browser())
    await edit(page, 1, '5')
    const [notices, sent] = [page.locator('.notices'), Promise.withResolvers<Route>()]
    await page.route(/\/_mock\/pets(\?|$)/, sent.resolve)
    await addPets(page, Array.from({ length: count }, (_, index) => `${index} ${index - 1 || 'x'} sold`).join('\n'))
    const route = await sent.promise
    await notices.getByText(words).waitFor()
    await route.continue()
    await page.getByText(/^Line 2: quantity/).waitFor()
    await notices.getByText('Pet 1 has 5 in stock').waitFor()
  })

  test('keeps nothing of a paste that is cancelled on its way', async () => {
    const { page, mock } = await openConsole(browser())
    const before = mock.inventory.list()
    const sent = Promise.withResolvers<Route>()
    await page.route(/\/_mock\/pets(\?|$)/, sent.resolve)
    await addPets(page, '11 5 sold\n1 1 sold')
    const route = await sent.promise
    await page.getByRole('button', { name: 'Cancel' }).click()
    await route.continue()
    await page.getByText('Undone: 1 pet added, 1 changed').waitFor()
    expect(mock.inventory.list()).toEqual(before)
  })

  test('is filtered by id and by status, and sorted', async () => {
    const { page } = await openConsole(browser())
    const ids = () => page.getByRole('grid').getByRole('rowheader').allInnerTexts()
    await stockOf(page, 1).waitFor()
    await page.getByRole('button', { name: /^pending/ }).click()
    expect(await ids()).toEqual(['4', '7', '10'])
    await page.getByText('3 of 10 pets').waitFor()
    await page.getByRole('button', { name: 'In stock', exact: true }).click()
    await expect.poll(ids).toEqual(['10', '7', '4'])
    expect(await page.getByRole('columnheader', { name: 'In stock' }).getAttribute('aria-sort')).toBe('ascending')
    await page.getByRole('button', { name: 'In stock', exact: true }).click()
    await expect.poll(ids).toEqual(['4', '7', '10'])
    await page.getByRole('button', { name: 'In stock', exact: true }).click()
    await expect.poll(ids).toEqual(['10', '7', '4'])
    await page.getByRole('button', { name: /^pending/ }).click()
    await page.getByRole('searchbox', { name: 'Pet id' }).fill('1')
    await expect.poll(ids).toEqual(['10', '1'])
    await page.getByRole('searchbox', { name: 'Pet id' }).fill('12')
    await page.getByText('No matching pets').waitFor()
  })

  test('of 10,000 pets scrolls with a handful of rows, reaches the last one, and leaves no gap', async () => {
    const { page, mock } = await openConsole(browser(), { mock: { fixture: generateFixture({ pets: 10_000 }) } })
    await stockOf(page, 1).focus()
    const rows = page.getByRole('grid').getByRole('row')
    expect(await rows.count()).toBeLessThan(60)
    await page.keyboard.press('End')
    await stockOf(page, 10_000).waitFor()
    expect(await rows.count()).toBeLessThan(60)
    await page.getByRole('searchbox', { name: 'Pet id' }).fill('9876')
    await edit(page, 9876, '5')
    await page.getByText('Pet 9876 has 5 in stock').waitFor()
    expect(mock.inventory.get(9876)?.quantity).toBe(5)
    await page.getByRole('searchbox', { name: 'Pet id' }).fill('')
    await stockOf(page, 1).waitFor()
    const gaps = await page.evaluate(async () => {
      const view = document.querySelector('.grid-view') as HTMLElement
      const seen: number[] = []
      for (let step = 0; step < 60; step += 1) {
        view.scrollTop += 400
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
        const { left, top, height } = view.getBoundingClientRect()
        const middle = document.elementFromPoint(left + 20, top + height / 2)
        if (middle?.closest('tr') === null) seen.push(step)
      }
      return seen
    })
    expect(gaps).toEqual([])
  })
})

async function addPets(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Add…' }).click()
  // As a paste does it: typing 1,500 lines takes many seconds.
  await page.getByLabel('Pets to add').evaluate((field: HTMLTextAreaElement, text) => {
    field.value = text
  }, text)
  await page.getByRole('button', { name: 'Add pets' }).click()
}
