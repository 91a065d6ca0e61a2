import { readFile } from 'node:fs/promises'
import { createMock } from '../../../src/index.ts'
import { serve } from '../../../src/runtimes/server.ts'
import { serveSite } from './shop.ts'

/** Serves the page of the examples, which is the `baseURL`, and a mock, while the suite runs. */
export default async function serveShop(): Promise<() => Promise<void>> {
  const page = await readFile(`${import.meta.dirname}/shop.html`)
  const shop = await serveSite((_request, response) => response.setHeader('content-type', 'text/html').end(page))
  const mock = await serve(createMock(), { controlToken: 'control-token' })
  process.env['SHOP_URL'] = shop.url
  process.env['MOCK_URL'] = mock.url
  return async () => {
    await shop[Symbol.asyncDispose]()
    await mock.close()
  }
}
