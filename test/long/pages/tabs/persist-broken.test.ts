import { describe, expect, test } from 'vitest'
import type { PersistWarning } from '../../../../src/runtimes/browser.ts'
import { createTabs } from '../../../tabs/create-tabs.ts'

const { openPage, openTab, startIn, list, profile, takeLog } = createTabs()

const STATE = 'petstore-mock: the state of persist, "default",'
const QUARANTINED = 'It was quarantined in the IndexedDB database petstore-mock/default; the seed is in its place.'

function toFirst(list: string): number {
  return JSON.parse(list)[0].quantity
}

const OLD = JSON.stringify({ version: 2 })
const REASON = 'is of version 2, from another release, and this release reads 5. Move it away to start from the fixture'

describe('stored state that cannot be used', () => {
  test.each([
    ['of another release', OLD, REASON],
    ['damaged', '{"version":5,"seeds":[],"sandboxes":[{"name":"default","seed":0}]}', 'sandboxes[0].seed: must be'],
  ])('%s is quarantined, and a page that was open all the time shows the seed too', async (_, text, reason) => {
    const [other, page] = [await openTab(), await openTab()]
    await page.evaluate(() => tab.update(1, 91))
    expect(toFirst(await list(other))).toBe(91)
    await page.evaluate(async (text) => {
      await tab.worker.stop()
      await tab.database.put('text', text)
    }, text)
    await startIn(page)
    expect(takeLog()).toEqual([expect.stringContaining(`${STATE} cannot be used: ${reason}`)])
    expect(toFirst(await list(page))).toBe(12)
    expect(await page.evaluate(() => tab.database.get('quarantined'))).toBe(text)
    expect(toFirst(await list(other))).toBe(12)
    await page.evaluate(() => tab.worker.forget())
    expect(await page.evaluate(() => tab.database.get('quarantined'))).toBeUndefined()
  })

  test('a page whose database another release takes over goes on in memory', async () => {
    const page = await openTab()
    await page.evaluate(() => tab.database.upgrade())
    expect(await page.evaluate(() => tab.update(1, 91))).toBe(200)
    expect(toFirst(await list(page))).toBe(91)
    expect(takeLog()).toEqual([expect.stringContaining(`${STATE} cannot be stored: `)])
  })
})

test('onPersistWarning is told of what could not be done, in place of the console, and may throw', async () => {
  const page = await openTab()
  await page.evaluate(async (old) => {
    await tab.worker.stop()
    await tab.database.put('text', old)
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
  }, OLD)
  expect(toFirst(await list(page))).toBe(92)
  const deleted = 'its database was deleted or belongs to another release now'
  expect(await page.evaluate(() => Reflect.get(globalThis, 'warnings'))).toEqual([
    { kind: 'quarantined', reason: REASON, message: `${STATE} cannot be used: ${REASON}. ${QUARANTINED}` },
    { kind: 'in-memory', reason: deleted, message: `${STATE} cannot be stored: ${deleted}. It goes on in memory.` },
  ])
  expect(takeLog()).toEqual(['Error: a fault of the page', 'Error: a fault of the page'])
})

describe('where nothing can be stored the mock goes on in memory', () => {
  test.each<[string, string, () => void]>([
    [
      'without IndexedDB',
      'there is no IndexedDB here',
      () => Object.defineProperty(globalThis, 'indexedDB', { value: undefined }),
    ],
    [
      'in a page that IndexedDB is refused to',
      'The user denied permission',
      () => {
        IDBFactory.prototype.open = () => {
          throw new DOMException('The user denied permission', 'SecurityError')
        }
      },
    ],
    [
      'when IndexedDB does not open in time',
      'IndexedDB did not open in time',
      () => {
        IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
        const { timeout } = AbortSignal
        AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 100)
      },
    ],
  ])('%s', async (_, reason, prepare) => {
    const page = await openPage()
    await page.evaluate(prepare)
    await startIn(page)
    expect(await page.evaluate(() => tab.update(1, 91))).toBe(200)
    expect(toFirst(await list(page))).toBe(91)
    await page.evaluate(() => tab.worker.forget())
    expect(toFirst(await list(page))).toBe(12)
    await page.evaluate(() => tab.worker.stop())
    expect(takeLog()).toEqual([`${STATE} cannot be stored: ${reason}. It goes on in memory.`])
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
})
