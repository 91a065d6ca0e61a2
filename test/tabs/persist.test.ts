import fc from 'fast-check'
import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { createTabs } from './create-tabs.ts'
import { ACTS, type Step } from './site/take.ts'

const { openPage, openTab, startIn, list } = createTabs()

describe.each(['worker', 'page'] as const)('persist in mode %s', (mode) => {
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
    expect(before[0]).toMatch(/"quantity":99.*9223372036854775807.*"petId":4,"quantity":4,"status":"available"}]$/)
    expect(await page.evaluate(() => fetch('/_mock/health').then((answer) => answer.json()))).toMatchObject({
      fixture: 'default',
    })
  })

  test('two tabs show one state, and one that is opened later shows it too', async () => {
    const [one, two] = [await openTab({ options }), await openTab({ options })]
    for (let turn = 1; turn <= 20; turn++) {
      const [from, to] = turn % 2 === 0 ? [one, two] : [two, one]
      await from.evaluate((quantity) => tab.update(1, quantity), turn)
      expect(JSON.parse(await list(to))[0]).toMatchObject({ petId: 1, quantity: turn })
    }
    await one.evaluate(() => tab.mock.inventory.set(2, { status: 'sold' }))
    const status = (): Promise<string | undefined> => two.evaluate(() => tab.mock.inventory.get(2)?.status)
    await expect.poll(status, { timeout: 10_000 }).toBe('sold')
    expect(await list(await openTab({ options }))).toBe(await list(one))
  })

  test('a page that is closed right after an answer has kept what was answered', async () => {
    const witness = await openTab({ options })
    for (let quantity = 100; quantity < 110; quantity++) {
      const page = await openTab({ options })
      expect(await page.evaluate((quantity) => tab.update(1, quantity), quantity)).toBe(200)
      await page.close()
      expect(JSON.parse(await list(witness))[0]).toMatchObject({ quantity })
    }
  })
})

describe('persist', () => {
  test('forget() starts again from the seed, in all tabs and after a reload', async () => {
    const [one, two] = [await openTab(), await openTab()]
    const seed = await list(one)
    await one.evaluate(() => tab.update(1, 99))
    await two.evaluate(() => tab.update(1, 98, 'other'))
    await one.evaluate(() => tab.worker.forget())
    expect([await list(two), await list(two, 'other')]).toEqual([seed, seed])
    expect(await two.evaluate(async () => (await tab.mock.fetch('/_mock/sandboxes')).json())).toHaveLength(2)
    expect([await list(await openTab()), await list(one, 'other')]).toEqual([seed, seed])
  })

  test('an undo keeps what another tab changed, and the history of its own', async () => {
    const [one, two] = [await openTab(), await openTab()]
    await one.evaluate(() => tab.update(2, 22))
    await one.evaluate(() => fetch('/_mock/pets/3', { method: 'DELETE' }))
    await list(two)
    // Both tabs wait for the database: the undo does not know of the other tab's change.
    await one.evaluate(() => tab.database.hold())
    await two.evaluate(() => void tab.mock.inventory.set(1, { quantity: 99 }))
    await one.evaluate(() => void tab.mock.history.undo())
    await one.evaluate(() => tab.database.release())
    const quantities = async (page: Page): Promise<number[]> =>
      JSON.parse(await list(page)).map(({ quantity }: { quantity: number }) => quantity)
    expect((await quantities(one)).slice(0, 3)).toEqual([99, 22, 0])
    await one.evaluate(() => void tab.mock.history.undo())
    expect((await quantities(two)).slice(0, 3)).toEqual([99, 3, 0])
  })

  test('a change that is repeated over that of another tab is one step of the history', async () => {
    const [one, two] = [await openTab(), await openTab()]
    await list(two)
    await one.evaluate(() => tab.database.hold())
    await two.evaluate(() => void tab.mock.inventory.set(6, { quantity: 99 }))
    await one.evaluate(() => void tab.mock.inventory.set(1, { quantity: 98 }))
    await one.evaluate(() => tab.database.release())
    await list(one)
    await list(two)
    for (const page of [one, two])
      expect(await page.evaluate(() => tab.mock.history.list().map(({ before }) => before?.quantity))).toHaveLength(1)
  })

  test('what is stored goes before the fixture of the page, until forget()', async () => {
    const first = await openTab()
    await first.evaluate(() => tab.update(1, 99))
    const other = await openTab({ mock: { fixture: 'low-stock' } })
    expect(await list(other)).toBe(await list(first))
    await other.evaluate(() => tab.worker.forget())
    const lowStock = await other.evaluate(() => tab.list('untouched'))
    expect([await list(other), await list(first)]).toEqual([lowStock, lowStock])
  })

  test('a state has a name, and those of other names stay', async () => {
    const one = await openTab({ options: { persist: 'one' } })
    const two = await openTab({ options: { persist: 'two' } })
    await one.evaluate(() => tab.update(1, 1))
    await two.evaluate(() => tab.update(1, 2))
    expect([JSON.parse(await list(one))[0].quantity, JSON.parse(await list(two))[0].quantity]).toEqual([1, 2])
  })

  test('what a mock changed before the start is stored where nothing is', async () => {
    const page = await openPage()
    await page.evaluate(() => tab.start({}, {}, [{ act: 'set', sandbox: 'default', petId: 1, quantity: 77 }]))
    expect(JSON.parse(await list(await openTab()))[0].quantity).toBe(77)
  })

  test('after stop() nothing is stored any more', async () => {
    const page = await openTab()
    await page.evaluate(async () => {
      await tab.update(1, 99)
      await tab.worker.stop()
      tab.mock.inventory.set(1, { quantity: 98 })
    })
    expect(JSON.parse(await list(await openTab()))[0].quantity).toBe(99)
    await startIn(page)
    expect(JSON.parse(await list(page))[0].quantity).toBe(99)
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
    expect(JSON.parse(await list(await openTab({ isInsecure: true })))[0].quantity).toBe(99)
  })
})

describe('pages that write at the same time', () => {
  const SANDBOXES = ['default', 'a', 'b']
  const step = fc.record<Step>({
    act: fc.constantFrom(...ACTS, 'update', 'update', 'add', 'set'),
    sandbox: fc.constantFrom(...SANDBOXES),
    petId: fc.constantFrom(1, 2, 3, 100, 101, 102),
    quantity: fc.integer({ min: 0, max: 20 }),
  })
  const steps = fc.array(step, { minLength: 1, maxLength: 25, size: 'max' })

  test('lose no update, also where both are the first in a sandbox', async () => {
    const pages = [await openTab(), await openTab()] as const
    const write = (first: number) => (page: Page) =>
      page.evaluate(async (first) => {
        for (let turn = 0; turn < 10; turn++) {
          const updates = [0, 2, 4].map((petId) => tab.update(first + petId, turn, `sandbox-${turn}`))
          await Promise.all(updates)
        }
      }, first)
    await Promise.all([write(1)(pages[0]), write(2)(pages[1])])
    for (const page of [...pages, await openTab()]) {
      for (let turn = 0; turn < 10; turn++) {
        const pets: { quantity: number }[] = JSON.parse(await list(page, `sandbox-${turn}`))
        expect(pets.slice(0, 6).map(({ quantity }) => quantity)).toEqual(Array(6).fill(turn))
      }
    }
  })

  test('show the same in the end, and so does a page that comes later', async () => {
    const pages = [await openTab(), await openTab(), await openTab()] as const
    let run = 0
    const property = fc.asyncProperty(steps, steps, async (ours, theirs) => {
      const options = { persist: `run-${run++}` }
      await Promise.all([restart(pages[0], options), restart(pages[1], options)])
      await Promise.all([
        pages[0].evaluate((steps) => tab.take(steps), ours),
        pages[1].evaluate((steps) => tab.take(steps), theirs),
      ])
      await Promise.all([list(pages[0]), list(pages[1])])
      const [one, two] = [await listAll(pages[0]), await listAll(pages[1])]
      await restart(pages[2], options)
      expect(two).toEqual(one)
      expect(await listAll(pages[2])).toEqual(one)
    })
    await fc.assert(property, { numRuns: 40 })
  }, 120_000)

  async function listAll(page: Page): Promise<string[]> {
    const lists: string[] = []
    for (const sandbox of SANDBOXES) lists.push(await list(page, sandbox))
    return lists
  }

  async function restart(page: Page, options: { persist: string }): Promise<void> {
    await page.evaluate(() => tab.worker.stop())
    await startIn(page, { options })
  }
})
