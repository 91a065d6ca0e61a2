import { describe, expect, test } from 'vitest'
import type { Tabs } from './create-tabs.ts'

/** Declares what a stored state survives in this mode. */
export function describePersist(mode: 'worker' | 'page', { openTab, startIn, list, readQuantities }: Tabs): void {
  describe(`persist in mode ${mode}`, () => {
    const options = { mode }

    test('a reload keeps the state of all sandboxes', async () => {
      const page = await openTab({ options })
      const before = await page.evaluate(async () => {
        await tab.update(1, 99)
        await tab.update(2, 22, 'other')
        tab.mock.inventory.remove(3)
        tab.mock.inventory.add({ petId: '9223372036854775807', quantity: 1, status: 'sold' })
        tab.mock.inventory.remove(4)
        tab.mock.inventory.add({ petId: 11, quantity: 11, status: 'pending' })
        tab.mock.inventory.add({ petId: 4, quantity: 4, status: 'available' })
        return [await tab.list(), await tab.list('other')]
      })
      await page.reload()
      await startIn(page, { options })
      expect([await list(page), await list(page, 'other')]).toEqual(before)
      expect(before[0]).toMatch(
        /"quantity":99.*"petId":4,"quantity":4,"status":"available"},{"petId":5.*9223372036854775807.*"petId":11,[^}]*}]$/,
      )
      expect(await page.evaluate(() => fetch('/_mock/health').then((answer) => answer.json()))).toMatchObject({
        fixture: 'default',
      })
    })

    test('a tab that was idle loads what another tab has stored, and erases none of it', async () => {
      const [one, two] = [await openTab({ options }), await openTab({ options })]
      for (const [petId, page] of [one, two, one, two].entries()) {
        expect(await page.evaluate((petId) => tab.update(petId + 1, 90 + petId), petId)).toBe(200)
      }
      for (const page of [one, two, await openTab({ options })])
        expect(await readQuantities(page, 4)).toEqual([90, 91, 92, 93])
    })

    test('a page that is closed right after an answer has kept what was answered', async () => {
      for (const quantity of [100, 101, 102]) {
        const page = await openTab({ options })
        expect(await page.evaluate((quantity) => tab.update(1, quantity), quantity)).toBe(200)
        await page.close()
      }
      expect(await readQuantities(await openTab({ options }), 1)).toEqual([102])
    })
  })
}
