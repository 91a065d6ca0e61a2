import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import type { PersistWarning } from '../../src/runtimes/browser.ts'
import { createTabs } from './create-tabs.ts'

const { openPage, openTab, startIn, list, profile, takeLog } = createTabs()

const STATE = 'petstore-mock: the state of persist, "default",'
const QUARANTINED =
  'It was quarantined in the store aside of the IndexedDB database petstore-mock/default; the seed is in its place.'

/** The quantity of the first pet. */
function toFirst(list: string): number {
  return JSON.parse(list)[0].quantity
}

/** From now on the page notices when another page tells that it stored a change. */
function listen(page: Page): Promise<void> {
  return page.evaluate(() => {
    const channel = new BroadcastChannel('petstore-mock/default')
    const heard = new Promise<void>((resolve) => {
      channel.onmessage = () => resolve()
    })
    Object.assign(globalThis, { heard: heard.finally(() => channel.close()) })
  })
}

/** Resolves when the page has heard of a change. Its mock listens for longer, and so heard of it before. */
function hear(page: Page): Promise<void> {
  return page.evaluate(() => Reflect.get(globalThis, 'heard'))
}

describe('what is stored and cannot be used is set aside', () => {
  test('a damaged pet, with its sandbox; the others stay', async () => {
    const page = await openTab()
    await page.evaluate(async () => {
      await tab.update(1, 91)
      await tab.update(1, 92, 'other')
      await tab.worker.stop()
      await tab.database.put('pets', (pet) => {
        if (pet['sandbox'] === 'other') pet['quantity'] = 'many'
      })
    })
    await startIn(page)
    expect(takeLog()).toEqual([
      `${STATE} cannot be used: sandbox other: pet 1 has the quantity "many" (string) and the status "available" (string). ${QUARANTINED}`,
    ])
    expect([toFirst(await list(page)), toFirst(await list(page, 'other'))]).toEqual([91, 12])
    expect(await page.evaluate(() => tab.database.readAll('aside'))).toEqual([
      expect.objectContaining({ pets: [expect.objectContaining({ sandbox: 'other', quantity: 'many' })] }),
    ])
    await page.evaluate(() => tab.update(1, 93, 'other'))
    expect(toFirst(await list(await openTab(), 'other'))).toBe(93)
  })

  test('a damaged document', async () => {
    const page = await openTab()
    await page.evaluate(async () => {
      await tab.worker.stop()
      await tab.database.put('documents', (document) => {
        document['inventory'] = '[{"petId":1}]'
      })
    })
    await startIn(page, { mock: { fixture: 'empty' } })
    expect(takeLog()).toEqual([expect.stringContaining('cannot be used: sandbox default: document ')])
    expect(await list(page)).toBe('[]')
  })

  test('the state of another release, whole; a page that was open all the time shows the seed too', async () => {
    const other = await openTab()
    const page = await openTab()
    await listen(other)
    await page.evaluate(() => tab.update(1, 91))
    await hear(other)
    // It has taken up what it heard of, and reads nothing more until it hears of the next change.
    expect(toFirst(await list(other))).toBe(91)
    await page.evaluate(async () => {
      await tab.worker.stop()
      await tab.database.put('meta', (meta) => {
        meta['format'] = 0
      })
    })
    await startIn(page)
    expect(takeLog()).toEqual([
      `${STATE} cannot be used: it is in the format 0 (number), and this release reads 1. ${QUARANTINED}`,
    ])
    expect(toFirst(await list(page))).toBe(12)
    const [aside] = await page.evaluate(() => tab.database.readAll('aside'))
    expect(aside).toMatchObject({ pets: [{ quantity: 91 }], meta: [{ format: 0 }] })
    // A page that was open all the time shows what is stored now.
    expect(toFirst(await list(other))).toBe(12)
    await page.evaluate(() => tab.worker.forget())
    expect(await page.evaluate(() => tab.database.readAll('aside'))).toEqual([])
  })

  test('a page whose state another release takes over goes on in memory', async () => {
    const page = await openTab()
    await page.evaluate(() => tab.database.put('meta', (meta) => Object.assign(meta, { format: 2 })))
    expect(await page.evaluate(() => tab.update(1, 91))).toBe(200)
    expect(toFirst(await list(page))).toBe(91)
    expect(takeLog()).toEqual([
      `${STATE} cannot be stored: it is in the format 2 now, that of another release. It goes on in memory.`,
    ])
  })
})

test('onPersistWarning is told of what could not be done, in place of the console, and may throw', async () => {
  const page = await openTab()
  await page.evaluate(async () => {
    await tab.worker.stop()
    await tab.database.put('meta', (meta) => Object.assign(meta, { format: 0 }))
    const warnings: PersistWarning[] = []
    const onPersistWarning = (warning: PersistWarning): never => {
      warnings.push(warning)
      throw new Error('a fault of the page')
    }
    Object.assign(globalThis, { warnings })
    await tab.start({ onPersistWarning })
    await tab.update(1, 91)
    await tab.database.remove()
    await tab.update(1, 92)
  })
  expect(toFirst(await list(page))).toBe(92)
  const reason = 'it is in the format 0 (number), and this release reads 1'
  expect(await page.evaluate(() => Reflect.get(globalThis, 'warnings'))).toEqual([
    { kind: 'quarantined', reason, message: `${STATE} cannot be used: ${reason}. ${QUARANTINED}` },
    {
      kind: 'in-memory',
      reason: 'its database was deleted',
      message: `${STATE} cannot be stored: its database was deleted. It goes on in memory.`,
    },
  ])
  expect(takeLog()).toEqual(['Error: a fault of the page', 'Error: a fault of the page'])
})

describe('where nothing can be stored the mock goes on in memory', () => {
  test('without IndexedDB', async () => {
    const page = await openPage()
    await page.evaluate(() => Object.defineProperty(globalThis, 'indexedDB', { value: undefined }))
    await startIn(page)
    expect(await page.evaluate(() => tab.update(1, 91))).toBe(200)
    expect(toFirst(await list(page))).toBe(91)
    await page.evaluate(() => tab.worker.forget())
    expect(toFirst(await list(page))).toBe(12)
    await page.evaluate(() => tab.worker.stop())
    expect(takeLog()).toEqual([`${STATE} cannot be stored: there is no IndexedDB here. It goes on in memory.`])
  })

  test('in a page that IndexedDB is refused to', async () => {
    const page = await openPage()
    await page.evaluate(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('The user denied permission', 'SecurityError')
      }
    })
    await startIn(page)
    expect(toFirst(await list(page))).toBe(12)
    expect(takeLog()).toEqual([`${STATE} cannot be stored: The user denied permission. It goes on in memory.`])
  })

  test('when IndexedDB does not open in time', async () => {
    const page = await openPage()
    await page.evaluate(() => {
      IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
    })
    await startIn(page, { options: { timeout: 200 } })
    expect(toFirst(await list(page))).toBe(12)
    expect(takeLog()).toEqual([`${STATE} cannot be stored: IndexedDB did not open in time. It goes on in memory.`])
  })

  test('when the disk is full', async () => {
    const page = await openPage()
    const session = await profile().newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(page.url()).origin, quotaSize: 1 })
    await startIn(page)
    expect(await page.evaluate(() => tab.update(1, 91))).toBe(200)
    expect(toFirst(await list(page))).toBe(91)
    expect(takeLog()).toEqual([`${STATE} cannot be stored: QuotaExceededError. It goes on in memory.`])
  })

  test('when a change has no room any more, and what was answered before is kept', async () => {
    const page = await openTab()
    await page.evaluate(() => tab.update(1, 91))
    await page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The disk is full', 'QuotaExceededError')
      }
    })
    expect(await page.evaluate(() => tab.update(1, 92))).toBe(200)
    expect(toFirst(await list(page))).toBe(92)
    expect(takeLog()).toEqual([`${STATE} cannot be stored: The disk is full. It goes on in memory.`])
    expect(toFirst(await list(await openTab()))).toBe(91)
  })

  test('when the database is deleted', async () => {
    const page = await openTab()
    await page.evaluate(async () => {
      await tab.update(1, 91)
      await tab.database.remove()
    })
    expect(await page.evaluate(() => tab.update(2, 92))).toBe(200)
    expect(toFirst(await list(page))).toBe(91)
    expect(takeLog()).toEqual([`${STATE} cannot be stored: its database was deleted. It goes on in memory.`])
    expect(toFirst(await list(await openTab()))).toBe(12)
  })
})
