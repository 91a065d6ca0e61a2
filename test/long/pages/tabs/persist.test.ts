import { expect, test } from 'vitest'
import { createTabs } from '../../../tabs/create-tabs.ts'
import { describePersist } from '../../../tabs/describe-persist.ts'

const tabs = createTabs()
const { openTab, readQuantities, profile } = tabs

describePersist('page', tabs)

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
