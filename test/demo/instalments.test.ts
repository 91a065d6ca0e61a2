import { expect, test } from 'vitest'
import { startBrowser } from '../console/open-console.ts'
import { book, openDemo, seeStock } from './open-demo.ts'

const browser = startBrowser()

test('a browser that cannot hand streams to its worker shows what happens all the same', async () => {
  const before = (): void => {
    const post = MessagePort.prototype.postMessage
    MessagePort.prototype.postMessage = function (message: unknown, options?: Transferable[] | object) {
      const transfer = Array.isArray(options) ? options : []
      if (transfer.some((each) => each instanceof ReadableStream)) throw new DOMException('No', 'DataCloneError')
      const { transfer: named = [] } = (options ?? {}) as StructuredSerializeOptions
      if (named.some((each) => each instanceof ReadableStream)) throw new DOMException('No', 'DataCloneError')
      return Reflect.apply(post, this, [message, options ?? []])
    }
  }
  const { page, openTab } = await openDemo(browser(), { before })
  await page.getByText('Live', { exact: true }).waitFor()
  const other = await openTab()
  await book(other, 1, 64)
  await seeStock(page, 1, 64)
  await book(page, 2, 65)
  await seeStock(other, 2, 65)
  await page.getByRole('button', { name: /PATCH \/v1\/inventory\/2 200/ }).waitFor()
  expect(await page.getByText('Mock server unreachable').count()).toBe(0)
})
