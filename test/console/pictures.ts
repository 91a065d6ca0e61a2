/** Takes the pictures of the console and the demo that the README shows: `npx node test/console/pictures.ts`. */

import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type BrowserContextOptions, chromium, type Page } from 'playwright'
import { createMock, type Mock, type MockOptions } from '../../src/index.ts'
import { answerFiles } from '../../src/runtimes/server/page-files.ts'
import { serveRequests } from '../../src/runtimes/server/serve-requests.ts'
import { serve } from '../../src/runtimes/server.ts'
import { generateFixture } from '../../src/store/generate-fixture.ts'
import { buildPackage } from '../../tools/build.js'
import { findChromium } from '../browser/chromium.ts'
import { readBuilt } from '../demo/serve-folder.ts'

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
      await page.getByText(/^quantity must be an integer from/).waitFor()
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

buildPackage(fileURLToPath(new URL('../..', import.meta.url)))
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
  await makeTraffic(mock)
  prepare?.(mock)
  const page = await browser.newPage({ reducedMotion: 'reduce', timezoneId: 'UTC', ...context })
  await page.goto(`${server.url}/_mock/`)
  await page.getByRole('row').nth(2).waitFor()
  await go?.(page)
  await save(page, name)
  await page.close()
}

/** The demo's last step, at which orders wait for a service that is down. */
async function takeDemo({ name, context }: Pick<Picture, 'name' | 'context'>): Promise<void> {
  await using server = await serveRequests(answerFiles(await readBuilt()), { control: false })
  const profile = await browser.newContext({ reducedMotion: 'reduce', timezoneId: 'UTC', ...context })
  const page = await profile.newPage()
  await page.goto(server.url)
  await page.getByRole('button', { name: 'all 9' }).waitFor()
  await page.getByRole('button', { name: 'Sell one' }).click()
  await page.getByRole('button', { name: 'Break the service' }).click()
  await page.getByRole('button', { name: '5xx or none 4' }).waitFor()
  await save(page, name)
  await profile.close()
}

/** As WebP, a third of the size of a PNG, because the pictures are part of the package. */
async function save(page: Page, name: string): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 70 })
  await writeFile(new URL(`${name}.webp`, FOLDER), data, 'base64')
}

/** Sends a minute of requests, of which some are refused and some meet a fault. The stock stays as it is. */
async function makeTraffic(mock: Mock): Promise<void> {
  const before = mock.snapshot()
  mock.clock.useVirtual()
  mock.setDelay('1-90')
  const send = async (path: string, init: RequestInit): Promise<void> => {
    const response = mock.fetch(path, init)
    await mock.clock.advance(600)
    await response
  }
  const headers = { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' }
  for (let count = 1; count < 60; count += 1) {
    if (count % 20 === 0) mock.faults.add({ status: 503, times: 3 })
    const body = JSON.stringify({ quantity: count % 13 === 0 ? 'many' : (count * 7) % 30 })
    await send(`/v1/inventory/${count % 12}`, { method: 'PATCH', headers, body })
    await send('/v1/inventory', { headers: count % 11 === 0 ? {} : headers })
  }
  mock.setDelay(undefined)
  mock.restore(before)
}
