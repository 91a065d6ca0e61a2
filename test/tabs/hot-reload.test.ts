import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Page } from 'playwright'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { useChromium } from '../browser/connect-chromium.ts'
import { type App, openApp } from './open-app.ts'

declare global {
  /** Is gone when the page is loaded again. */
  var visit: string | undefined
  /** Returns what went wrong. */
  var stopPolling: () => Promise<string[]>
}

const PATIENCE = { timeout: 15_000 }

/** The tests that share it edit different files. */
let shared: App
let page: Page
const browser = useChromium()
beforeAll(async () => {
  shared = await openApp('react')
  return () => shared[Symbol.asyncDispose]()
})

/** The first visit: one more of pet 1 is booked. */
async function open(app: App): Promise<void> {
  page = await browser().newPage()
  const log: string[] = []
  page.on('pageerror', (error) => log.push(String(error)))
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) log.push(message.text())
  })
  onTestFinished(async () => {
    await page.context().close()
    expect(log).toEqual([])
  })
  await page.goto(app.url)
  await book('Pet 1: 12 left', 'Pet 1: 13 left')
}

test('an edit of a component leaves the page, its worker and the state as they are', async () => {
  await open(shared)
  await mark()
  await shared.edit('src/app.tsx', (text) => text.replace('<h1>Inventory', '<h1>Stock'))
  await see('h1', 'Stock')
  await see('p', '1 booked')
  await book('Pet 1: 13 left', 'Pet 1: 14 left')
  expect(await survey()).toEqual({ visit: 'the same', workers: 1 })
})

test('an edit of the file that starts the page loads it again, with the state', async () => {
  await open(shared)
  await mark()
  await shared.edit('src/main.tsx', (text) => `${text}document.title = 'Edited'\n`)
  await expect.poll(() => page.title(), PATIENCE).toBe('Edited')
  await see('p', '0 booked')
  await book('Pet 1: 13 left', 'Pet 1: 14 left')
  expect(await survey()).toEqual({ visit: undefined, workers: 1 })
})

test('updates that the page sends while it is loaded again do not reach the network', async () => {
  await open(shared)
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
  await see('p', '0 booked')
  expect(await page.evaluate(() => sessionStorage.getItem('left'))).toBe('yes')
  expect(shared.leaked).toEqual([])
})

describe('an edit of the file that starts the worker starts it anew with the state', () => {
  test('if the page loads it', () => restart(shared))

  test('if a component loads it', async () => {
    await using app = await openApp('react', {
      'src/main.tsx': (text) => text.replace(/^if .*$/m, ''),
      'src/app.tsx': (text) => `import './mock.ts'\n${text}`,
    })
    await restart(app)
  })

  async function restart(app: App): Promise<void> {
    await open(app)
    await mark()
    for (const title of ['New mock', 'Newer mock']) {
      await app.edit('src/mock.ts', (text) => `${text}document.title = '${title}'\n`)
      await expect.poll(() => page.title(), PATIENCE).toBe(title)
    }
    await book('Pet 1: 13 left', 'Pet 1: 14 left')
    expect(await survey()).toEqual({ visit: 'the same', workers: 1 })
  }
})

describe('while a page polls, an edit of the file that starts the worker lets no request through', () => {
  for (const mode of ['worker', 'page']) {
    test(`in mode ${mode}`, async () => {
      await using app = await openApp('react', {
        'src/mock.ts': (text) => text.replace('persist: true', `persist: true, mode: '${mode}'`),
      })
      await open(app)
      await page.evaluate(poll)
      for (const title of ['New mock', 'Newer mock', 'Newest mock']) {
        await app.edit('src/mock.ts', (text) => `${text}document.title = '${title}'\n`)
        await expect.poll(() => page.title(), PATIENCE).toBe(title)
      }
      expect(await page.evaluate(() => globalThis.stopPolling())).toEqual([])
      expect(app.leaked).toEqual([])
    })
  }
})

/** Lists the pets every 10 ms, and books one more of pet 1 as soon as the last one is booked. Runs in the page. */
function poll(): void {
  const headers = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }
  const problems: string[] = []
  const list = async (): Promise<number> => {
    const response = await fetch('/v1/inventory', { headers })
    const [first] = await response.json()
    return first.quantity
  }
  const note = (problem: unknown): unknown => problems.push(String(problem))
  const lists = new Set<Promise<unknown>>()
  const timer = setInterval(() => lists.add(list().catch(note)), 10)
  let isOn = true
  let quantity = 13
  async function update(): Promise<void> {
    quantity += 1
    await new Promise<void>((resolve) => {
      const request = new XMLHttpRequest()
      request.open('PATCH', '/v1/inventory/1')
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.onloadend = () => {
        if (request.status !== 200) note(`PATCH ${request.status}`)
        resolve()
      }
      request.send(JSON.stringify({ quantity }))
    })
    const listed = await list()
    if (listed !== quantity) note(`${listed} listed, ${quantity} booked`)
    if (isOn) await update()
  }
  const updated = update().catch(note)
  globalThis.stopPolling = async () => {
    isOn = false
    clearInterval(timer)
    await Promise.all([...lists, updated])
    return problems
  }
}

test('below a base of Vite, the worker answers with the documented workerUrl', async () => {
  const workerUrl = "workerUrl: import.meta.env.BASE_URL + 'mockServiceWorker.js'"
  expect(await readFile(resolve(import.meta.dirname, '../../docs/browser.md'), 'utf8')).toContain(workerUrl)
  await using app = await openApp('react', {
    'vite.config.ts': (text) => text.replace('{ plugins', "{ base: '/shop/', plugins"),
    'src/mock.ts': (text) => text.replace('persist: true', workerUrl),
  })
  await open(app)
  expect(new URL(app.url).pathname).toBe('/shop/')
  expect(app.leaked).toEqual([])
})

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
