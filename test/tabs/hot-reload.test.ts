import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Page } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { type App, openApp } from './open-app.ts'

declare global {
  /** Is gone when the page is loaded again. */
  var visit: string | undefined
}

const PATIENCE = { timeout: 15_000 }

let app: App
let page: Page
const browser = useChromium()

/** The first visit: one more of pet 1 is booked. */
async function open(edits?: Parameters<typeof openApp>[1]): Promise<void> {
  app = await openApp('react', edits)
  page = await browser().newPage()
  const log: string[] = []
  page.on('pageerror', (error) => log.push(String(error)))
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) log.push(message.text())
  })
  onTestFinished(async () => {
    await page.context().close()
    await app[Symbol.asyncDispose]()
    expect(log).toEqual([])
  })
  await page.goto(app.url)
  await book('Pet 1: 12 left', 'Pet 1: 13 left')
}

test('an edit of a component leaves the page, its worker and the state as they are', async () => {
  await open()
  await mark()
  await app.edit('src/app.tsx', (text) => text.replace('<h1>Inventory', '<h1>Stock'))
  await see('h1', 'Stock')
  await see('p', '1 booked')
  await book('Pet 1: 13 left', 'Pet 1: 14 left')
  expect(await survey()).toEqual({ visit: 'the same', workers: 1 })
})

test('an edit of the file that starts the page loads it again, with the state', async () => {
  await open()
  await mark()
  await app.edit('src/main.tsx', (text) => `${text}document.title = 'Edited'\n`)
  await expect.poll(() => page.title(), PATIENCE).toBe('Edited')
  await see('p', '0 booked')
  await book('Pet 1: 13 left', 'Pet 1: 14 left')
  expect(await survey()).toEqual({ visit: undefined, workers: 1 })
})

const IMPORTERS = {
  'the page': {},
  'a component': {
    'src/main.tsx': (text: string) => text.replace(/^if .*$/m, ''),
    'src/app.tsx': (text: string) => `import './mock.ts'\n${text}`,
  },
}

for (const [importer, edits] of Object.entries(IMPORTERS)) {
  test(`an edit of the file that starts the worker, and that ${importer} loads, starts it anew with the state`, async () => {
    await open(edits)
    await mark()
    for (const title of ['Edited', 'Edited again']) {
      await app.edit('src/mock.ts', (text) => `${text}document.title = '${title}'\n`)
      await expect.poll(() => page.title(), PATIENCE).toBe(title)
    }
    await book('Pet 1: 13 left', 'Pet 1: 14 left')
    expect(await survey()).toEqual({ visit: 'the same', workers: 1 })
  })
}

test('a build has no mock in it', async () => {
  await using built = await openApp('react')
  expect(await built.build()).toEqual([expect.stringMatching(/^index-.*\.js$/)])
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

async function see(selector: string, text: string): Promise<void> {
  await page.locator(selector, { hasText: text }).waitFor()
}

async function book(before: string, after: string): Promise<void> {
  await page.getByRole('button', { name: before }).click()
  await page.getByRole('button', { name: after }).waitFor()
}

function mark(): Promise<void> {
  return page.evaluate(() => {
    globalThis.visit = 'the same'
  })
}

function survey(): Promise<{ visit: string | undefined; workers: number }> {
  return page.evaluate(async () => ({
    visit: globalThis.visit,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }))
}
