import type { Route } from 'playwright'
import { describe, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { addPets, describeAdding } from './describe-adding.ts'
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
})

describeAdding({
  added: [
    ['Pet 11 added', 11, '11 5 pending'],
    [
      '1 pet added, 1 changed',
      2n ** 63n - 1n,
      'petId\tquantity\tstatus\n9223372036854775807\t7\tsold\n5\t1\tpending\n',
    ],
  ],
  refused: [
    [
      'id quantity status\n\n12 5 sold\n13 1.5 sold\n12 1 sold\nx 1 gone',
      [
        /^Line 4: quantity must be an integer .*, got 1\.5$/,
        /^Line 5: petId: 12 is already used by line 3$/,
        /^Line 6: petId must be an int64, got "x"$/,
        /^Line 6: status must be one of .*, got "gone"$/,
      ],
    ],
  ],
})
