import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { describePolling } from './describe-polling.ts'
import { type App, openApp } from './open-app.ts'
import { book, expectRestart, mark, survey, visitApp } from './visit-app.ts'

/** The tests that share it edit different files. */
let shared: App
const browser = useChromium()
beforeAll(async () => {
  shared = await openApp('react')
  return () => shared[Symbol.asyncDispose]()
})

test('an edit of a component leaves the page, its worker and the state as they are', async () => {
  const page = await visitApp(browser(), shared)
  await mark(page)
  await shared.edit('src/app.tsx', (text) => text.replace('<h1>Inventory', '<h1>Stock'))
  await see(page, 'h1', 'Stock')
  await see(page, 'p', '1 booked')
  await book(page, 'Pet 1: 13 left', 'Pet 1: 14 left')
  expect(await survey(page)).toEqual({ visit: 'the same', workers: 1 })
})

test('an edit of the file that starts the page loads it again, with the state', async () => {
  const page = await visitApp(browser(), shared)
  await mark(page)
  await shared.edit('src/main.tsx', (text) => `${text}document.title = 'Edited'\n`)
  await expect.poll(() => page.title()).toBe('Edited')
  await see(page, 'p', '0 booked')
  await book(page, 'Pet 1: 13 left', 'Pet 1: 14 left')
  expect(await survey(page)).toEqual({ visit: undefined, workers: 1 })
})

test('updates that the page sends while it is loaded again do not reach the network', async () => {
  const page = await visitApp(browser(), shared)
  await page.evaluate(() => {
    const init = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"quantity":77}' }
    addEventListener('pagehide', () => {
      void fetch('/v1/inventory/1', init)
      void fetch('/v1/inventory/2', { ...init, keepalive: true })
      const request = new XMLHttpRequest()
      request.open('PATCH', '/v1/inventory/3')
      request.send()
      sessionStorage.setItem('left', 'yes')
    })
  })
  await page.reload()
  await see(page, 'p', '0 booked')
  expect(await page.evaluate(() => sessionStorage.getItem('left'))).toBe('yes')
  expect(shared.leaked).toEqual([])
})

test('an edit of the file that starts the worker starts it anew with the state', async () => {
  const page = await visitApp(browser(), shared)
  await expectRestart(page, shared)
})

describePolling('worker')

test('a build has no mock in it', async () => {
  expect(await shared.build()).toEqual([expect.stringMatching(/^index-.*\.js$/)])
})

test('the documentation has the line that loads the mock', async () => {
  const [text, main] = await Promise.all(
    ['docs/browser.md', 'test/apps/react/src/main.tsx'].map((file) =>
      readFile(resolve(import.meta.dirname, '../..', file), 'utf8'),
    ),
  )
  const line = /^if .*$/m.exec(main ?? '')?.[0] ?? 'no line'
  expect(text).toContain(line)
})

async function see(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector, { hasText: text }).waitFor()
}
