import { expect, test } from 'vitest'
import { generateFixture } from '../../../../src/index.ts'
import { useChromium } from '../../../browser/connect-chromium.ts'
import { describeAdding } from '../../../console/describe-adding.ts'
import { edit, openConsole, stockOf } from '../../../console/open-console.ts'

const browser = useChromium()

describeAdding({
  added: [
    ['Pet -9223372036854775808 added', -(2n ** 63n), '[{"petId":-9223372036854775808,"quantity":7,"status":"sold"}]'],
    ['Pet 12 added', 12, '{"inventory":[{"petId":"12","quantity":7,"status":"sold"}]}'],
    ['Pet 5 changed', 10, '5 5 pending'],
    [
      '1,490 pets added, 10 changed',
      1500,
      Array.from({ length: 1500 }, (_, index) => `${index + 1} 1 sold`).join('\n'),
    ],
  ],
  refused: [
    ['12 5 sold\n13', [/^Line 2: enter an id, a quantity and a status, not 13$/]],
    [
      '[{"petId":12,"quantity":5,"status":"sold"},{"petId":13}]',
      [/^\[1\]\.quantity is required$/, /^\[1\]\.status is required$/],
    ],
    ['[{"petId":12,', [/^This is not JSON: /]],
  ],
})

test('the stock of 10,000 pets scrolls with a handful of rows, reaches the last one, and leaves no gap', async () => {
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
