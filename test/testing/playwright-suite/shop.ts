import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { test as base } from '../../../src/testing/playwright.ts'

/** A service of another origin, as the pages of the shop know it. */
const API = 'https://api.petstore.example/v1'

/** The site of a shop, and what its server is asked for that nobody should ask it. */
export interface Shop {
  readonly url: string
  readonly asked: string[]
}

/** `test` with a shop on a server of its own, and its page open. */
export const test = base.extend<{ shop: Shop; sendFromPage: (path: string, init?: PageRequest) => Promise<Seen> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures one asks for
  shop: async ({}, use) => {
    const asked: string[] = []
    await using site = await serveSite(({ method, url = '' }, response) => {
      if (url.startsWith('/v1')) asked.push(`${method} ${url}`)
      response.setHeader('content-type', 'text/html').end('<title>Shop</title>')
    })
    await use({ url: site.url, asked })
  },
  sendFromPage: async ({ page, shop }, use) => {
    await page.goto(shop.url)
    await use((path, init) => send(page, path, init))
  },
})

/** A server on a free port, until it is disposed of. */
export async function serveSite(listener: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What a page sends: of `fetch`'s own what can be carried into a page. */
export interface PageRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What a page saw of an answer: `error` where its body, or the whole, did not come. */
export interface Seen {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly error?: string
}

/** Asks the service from within a page, with the key of the example. */
export function send(page: Page, path: string, init: PageRequest = {}): Promise<Seen> {
  const url = path.startsWith('/') ? API + path : path
  const headers = { authorization: 'Bearer demo-key', ...init.headers }
  return page.evaluate(
    async ({ url, init }) => {
      try {
        const { status, headers, ...answer } = await fetch(url, init).then(async (response) => ({
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: await response.text(),
        }))
        return { status, headers, ...answer }
      } catch (error) {
        return { error: String(error) }
      }
    },
    { url, init: { ...init, headers } },
  )
}

/** The request that sets a pet's quantity. */
export function toUpdate(quantity: number): PageRequest {
  return { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ quantity }) }
}
