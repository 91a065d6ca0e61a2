import { type BrowserContext, chromium, type Page } from 'playwright'
import { expect, test } from 'vitest'
import { findChromium } from '../browser/chromium.ts'
import { makeFolder } from '../cli/state-folder.ts'
import { createTabs } from './create-tabs.ts'

const { openTab, startIn, list, profile, url } = createTabs()

/** All pets are given one quantity after the other, so that a state of which a half was stored would show. */
test('a page that is killed in the middle of its writes leaves the last state that was whole', async () => {
  const witness = await openTab()
  for (let turn = 1; turn <= 50; turn++) {
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
      await new Promise((resolve) => setTimeout(resolve, turn % 10))
      return turn * 1000
    }, turn)
    // A crash of the renderer: no handler of the page runs any more.
    const session = await profile().newCDPSession(page)
    void session.send('Page.crash').catch(() => {})
    await page.waitForEvent('crash')
    await page.close()
    const quantities = (JSON.parse(await list(witness)) as { quantity: number }[]).map(({ quantity }) => quantity)
    expect(quantities).toHaveLength(4)
    expect(new Set(quantities).size).toBe(1)
    expect(Math.floor((quantities[0] ?? 0) / 1000) * 1000).toBe(answered)
  }
}, 120_000)

test('a browser that is killed right after an answer has kept what was answered', async () => {
  const folder = await makeFolder()
  const first = await launch(folder)
  await first.page.evaluate(() => tab.update(1, 99))
  const closed = first.context.waitForEvent('close')
  const session = await first.context.newCDPSession(first.page)
  void session.send('Browser.crash' as never).catch(() => {})
  await closed
  const second = await launch(folder)
  expect(JSON.parse(await list(second.page))[0]).toMatchObject({ petId: 1, quantity: 99 })
  await second.context.close()
})

async function launch(folder: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await chromium.launchPersistentContext(folder, await findChromium())
  const page = await context.newPage()
  await page.goto(url())
  await startIn(page)
  return { context, page }
}
