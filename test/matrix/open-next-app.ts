// Drives the built Next.js app of a cell in Chromium. Two tests at once, each with a sandbox: a page, its server and the
// test see one state, and nothing of the other.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright'
import { findChromium } from '../browser/chromium.ts'

const load = (entry: string) => import(pathToFileURL(resolve(`node_modules/petstore-mock/dist/${entry}.js`)).href)
const [{ createMock }, { serve }, { connectMock }] = await Promise.all(['index', 'server', 'client'].map(load))

const mock = createMock()
const server = await serve(mock)
const app = spawn('next', ['start', '--port', '0'], { env: { ...process.env, PETSTORE_MOCK_URL: server.url } })
const browser = await chromium.launch(await findChromium())
try {
  const url = await waitForAddress()
  await Promise.all(['first', 'second'].map((sandbox, index) => bookInSandbox(url, { sandbox, stock: index + 1 })))
  assert.deepEqual(mock.journal.entries, [])
} finally {
  await browser.close()
  app.kill()
  await server.close({ grace: 0 })
}

async function bookInSandbox(url: string, { sandbox, stock }: { sandbox: string; stock: number }): Promise<void> {
  const remote = connectMock(server.url, { sandbox })
  await remote.inventory.set(1, { quantity: stock })
  const context = await browser.newContext({ extraHTTPHeaders: { baggage: `petstore-mock-sandbox=${sandbox}` } })
  const page = await context.newPage()
  await page.goto(url)
  await page.getByText(`${stock} in stock`).waitFor()
  await page.getByRole('button', { name: 'Book 20' }).click()
  await page.getByText('20 booked').waitFor()
  assert.equal((await remote.inventory.get(1))?.quantity, 20)
  // The page, and then its server again.
  await remote.inventory.set(1, { quantity: 30 + stock })
  await page.reload()
  await page.getByText(`${30 + stock} in stock`).waitFor()
  const operations = (await remote.journal.entries()).map(({ operation }: { operation: string }) => operation)
  assert.deepEqual(operations, ['listInventory', 'updateInventory', 'listInventory'])
  await context.close()
}

/** Next.js prints the address once it listens. */
function waitForAddress(): Promise<string> {
  return new Promise((settle, reject) => {
    let output = ''
    const read = (chunk: Buffer): void => {
      output += chunk
      const [address] = /http:\/\/localhost:\d+/.exec(output) ?? []
      if (address !== undefined && output.includes('Ready')) settle(address)
    }
    app.stdout.on('data', read)
    app.stderr.on('data', read)
    app.on('exit', () => reject(new Error(output)))
  })
}
