/** Takes the pictures of the console and the demo that the README shows, of the built pages: `node tools/dev.js test/console/pictures.ts`. */

import { mkdir, writeFile } from 'node:fs/promises'
import { type BrowserContextOptions, chromium, type Page } from 'playwright'
import { createMock, type Mock, type MockOptions } from '../../src/index.ts'
import { createDemoFiles } from '../../src/runtimes/server/page-files.ts'
import { serveRequests } from '../../src/runtimes/server/serve-requests.ts'
import { serve } from '../../src/runtimes/server.ts'
import { generateFixture } from '../../src/store/generate-fixture.ts'
import { findChromium } from '../browser/chromium.ts'

const FOLDER = new URL('../../docs/pictures/', import.meta.url)

interface Picture {
  readonly name: string
  readonly context: BrowserContextOptions
  readonly mock?: MockOptions
  /** Runs before the page is opened. */
  readonly prepare?: (mock: Mock) => void
  /** The actions on the page. */
  readonly go?: (page: Page) => Promise<unknown>
}

const PICTURES: readonly Picture[] = [
  {
    name: 'console-light',
    context: { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
    async go(page) {
      await page.getByRole('button', { name: '3 of pet 2 in stock, change' }).click()
      await page.keyboard.type('five')
      await page.keyboard.press('Enter')
      await page.getByText(/^400 · /).waitFor()
    },
  },
  {
    name: 'console-dark',
    context: { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
    mock: { fixture: generateFixture({ pets: 10_000, randomSeed: 1 }) },
    prepare: (mock) => mock.faults.add({ status: 503 }),
    go: (page) => page.getByText('Every request: 503').waitFor(),
  },
]

await mkdir(FOLDER, { recursive: true })
const browser = await chromium.launch(await findChromium())
try {
  for (const picture of PICTURES) await take(picture)
  await takeDemo({ name: 'demo-light', context: { colorScheme: 'light', viewport: { width: 1440, height: 900 } } })
  await takeDemo({ name: 'demo-dark', context: { colorScheme: 'dark', viewport: { width: 1440, height: 900 } } })
} finally {
  await browser.close()
}

async function take({ name, context, mock: options, prepare, go }: Picture): Promise<void> {
  const mock = createMock(options)
  await using server = await serve(mock)
  const now = await makeTraffic(mock)
  prepare?.(mock)
  const page = await browser.newPage({ reducedMotion: 'reduce', timezoneId: 'UTC', ...context })
  await page.clock.setFixedTime(now)
  await page.goto(`${server.url}/_mock/`)
  await page.getByRole('row').nth(2).waitFor()
  await go?.(page)
  await save(page, name)
  await page.close()
}

/** The demo after some arrivals were booked. */
async function takeDemo({ name, context }: Pick<Picture, 'name' | 'context'>): Promise<void> {
  const files = await createDemoFiles()
  if (files === undefined) throw new Error('The demo is not built.')
  await using server = await serveRequests(files, { control: false })
  const profile = await browser.newContext({ reducedMotion: 'reduce', timezoneId: 'UTC', ...context })
  const page = await profile.newPage()
  const start = Date.now()
  for (const [index, quantity] of [20, 6, 11, 16].entries()) {
    await page.clock.setFixedTime(start + index * 9000)
    if (index === 0) await page.goto(server.url)
    await page.getByRole('button', { name: new RegExp(` of pet ${index + 2} in stock`) }).click()
    await page.keyboard.type(String(quantity))
    await page.keyboard.press('Enter')
    await page.getByText(`Pet ${index + 2} has ${quantity} in stock`).waitFor()
  }
  await page.getByRole('button', { name: 'all 4' }).waitFor()
  await save(page, name)
  await profile.close()
}

/** As WebP, a third of the size of a PNG, because the pictures are part of the package. */
async function save(page: Page, name: string): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 85 })
  await writeFile(new URL(`${name}.webp`, FOLDER), data, 'base64')
}

/** Sends a minute of requests, with some 4xx and 5xx, and freezes the clock at its end; resolves to that time. */
async function makeTraffic(mock: Mock): Promise<number> {
  const before = mock.snapshot()
  mock.clock.useVirtual()
  const start = Date.now()
  mock.setDelay('1-9')
  const pass = async (answer: Promise<Response>): Promise<void> => {
    await mock.clock.advance(9)
    await answer
  }
  const headers = { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' }
  for (let second = 0; second < 56; second += 1) {
    if (second === 30) mock.faults.add({ status: 503, times: 9 })
    for (let count = (second * second) % 5; count > 0; count -= 1) {
      await pass(mock.fetch('/v1/inventory', { headers: second % 11 === 0 ? {} : headers }))
    }
    const quantity = second % 13 === 0 ? 'many' : (second * 7) % 30
    const body = JSON.stringify({ quantity })
    if (second % 4 === 0)
      await pass(mock.fetch(`/v1/inventory/${1 + (second % 10)}`, { method: 'PATCH', headers, body }))
    await mock.clock.advance(Math.max(0, start + (second + 1) * 1000 - mock.clock.now()))
  }
  mock.faults.clear()
  mock.restore(before)
  mock.setDelay(undefined)
  return start + 57_000
}
