// Opens the page of a cell in Chromium: as it was built into a folder, or with Vite's dev server if no folder is given.
// Fails unless the page says that it works.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { chromium } from 'playwright'
import { findChromium } from '../browser/chromium.ts'
import { serveWithVite } from './serve-with-vite.ts'

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' }

const [folder] = process.argv.slice(2)
const url = folder === undefined ? await serveWithVite() : await serveFiles(folder)
const browser = await chromium.launch(await findChromium())
const page = await browser.newPage()
const log: string[] = []
page.on('console', (message) => log.push(message.text()))
page.on('pageerror', (error) => log.push(String(error)))
await page.goto(url)
// Vite reloads the page when it finds another dependency.
await page
  .waitForFunction(() => document.title !== '', undefined, { timeout: 120_000 })
  .catch((error) => log.push(String(error)))
assert.equal(await page.title(), 'It works.', log.join('\n'))
await browser.close()
process.exit()

/** The folder has the page of its own that Vite wrote, or only its script. */
async function serveFiles(built: string): Promise<string> {
  const server = createServer(async ({ url = '/' }, response) => {
    const name = url === '/' ? 'index.html' : url
    const elsewhere = name === 'index.html' ? readFile(name) : undefined
    const content = await readFile(join(built, name)).catch(() => elsewhere)
    const type = TYPES[extname(name)] ?? 'text/plain'
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': type }).end(content)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://localhost:${(server.address() as AddressInfo).port}/`
}
