import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { BrowserContext } from 'playwright'
import { bundlePage } from '../browser/bundle-page.ts'
import { INSECURE_HOST } from '../browser/chromium.ts'
import { connectChromium } from '../browser/connect-chromium.ts'

/** A site whose pages have the mock and msw's worker script, and a browser to open it in. */
export interface Site extends AsyncDisposable {
  readonly url: string
  /** The same over http at a name that makes no secure context. */
  readonly insecureUrl: string
  /** A profile of its own: nothing is stored in it. */
  newProfile(): Promise<BrowserContext>
}

export async function openSite(): Promise<Site> {
  const files = await buildSite()
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '')
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': file?.type ?? 'text/plain' }).end(file?.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await connectChromium()
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}/`,
    insecureUrl: `http://${INSECURE_HOST}:${port}/`,
    newProfile: () => browser.newContext(),
    async [Symbol.asyncDispose]() {
      await browser.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

async function buildSite(): Promise<Map<string, { type: string; body: string }>> {
  const files = new Map<string, { type: string; body: string }>()
  for (const [name, body] of await bundlePage(new URL('site/main.ts', import.meta.url)))
    files.set(`/${name}`, { type: 'text/javascript', body })
  const script = await readFile(fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js')), 'utf8')
  files.set('/mockServiceWorker.js', { type: 'text/javascript', body: script })
  files.set('/', {
    type: 'text/html',
    body: '<!doctype html><title>A site</title><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>',
  })
  return files
}
