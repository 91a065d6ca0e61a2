import { describe, expect, test } from 'vitest'
import { createTabs } from '../../../tabs/create-tabs.ts'
import { describePersist } from '../../../tabs/describe-persist.ts'

const tabs = createTabs()
const { openPage, openTab, readQuantities, profile } = tabs

describePersist('page', tabs)

describe('persist', () => {
  test('a state has a name, and those of other names stay', async () => {
    const one = await openTab({ options: { persist: 'one' } })
    const two = await openTab({ options: { persist: 'two' } })
    await one.evaluate(() => tab.update(1, 1))
    await two.evaluate(() => tab.update(1, 2))
    expect([await readQuantities(one, 1), await readQuantities(two, 1)]).toEqual([[1], [2]])
  })

  test('what a mock changed before the start is stored where nothing is', async () => {
    const page = await openPage()
    await page.evaluate(() => tab.start({}, {}, (mock) => mock.inventory.set(1, { quantity: 77 })))
    expect(await readQuantities(await openTab(), 1)).toEqual([77])
  })

  test('faults and the journal are of one page', async () => {
    const [one, two] = [await openTab(), await openTab()]
    await one.evaluate(() => void tab.mock.faults.add({ status: 503 }))
    expect(await two.evaluate(() => tab.update(1, 5))).toBe(200)
    expect(await one.evaluate(() => tab.update(1, 5))).toBe(503)
    expect(await one.evaluate(() => tab.mock.journal.entries.length)).toBe(1)
  })

  test('a page of an insecure origin keeps its state', async () => {
    const page = await openTab({ isInsecure: true })
    await page.evaluate(() => tab.update(1, 99))
    expect(await readQuantities(await openTab({ isInsecure: true }), 1)).toEqual([99])
  })
})

/** All pets are given one quantity after the other, so that a state of which a half was stored would show. */
test('a page that is killed in the middle of its writes leaves the last state that was whole', async () => {
  const witness = await openTab()
  for (let turn = 1; turn <= 10; turn++) {
    const page = await openTab()
    const answered = await page.evaluate(async (turn) => {
      await tab.update(1, turn * 1000)
      const load = (quantity: number): void =>
        tab.mock.load({ inventory: [1, 2, 3, 4].map((petId) => ({ petId, quantity, status: 'sold' as const })) })
      load(turn * 1000)
      await fetch('/_mock/health')
      // Nobody waits for these.
      let written = 0
      setInterval(() => load(turn * 1000 + (++written % 1000)))
      await new Promise((resolve) => setTimeout(resolve, turn))
      return turn * 1000
    }, turn)
    // A crash of the renderer: no handler of the page runs any more.
    const session = await profile().newCDPSession(page)
    void session.send('Page.crash').catch(() => {})
    await page.waitForEvent('crash')
    await page.close()
    const quantities = await readQuantities(witness)
    expect(quantities).toHaveLength(4)
    expect(new Set(quantities).size).toBe(1)
    expect(Math.floor((quantities[0] ?? 0) / 1000) * 1000).toBe(answered)
  }
})
