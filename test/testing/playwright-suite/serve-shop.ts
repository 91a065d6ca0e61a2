import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMock } from '../../../src/index.ts'
import { serve } from '../../../src/runtimes/server.ts'

/** Serves the page of the examples, which is the `baseURL`, and a mock, while the suite runs. */
export default async function serveShop(): Promise<() => Promise<void>> {
  const page = await readFile(`${import.meta.dirname}/shop.html`)
  const shop = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page))
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const mock = await serve(createMock(), { controlToken: 'control-token' })
  process.env['SHOP_URL'] = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  process.env['MOCK_URL'] = mock.url
  return async () => {
    shop.closeAllConnections()
    await new Promise((resolve) => shop.close(resolve))
    await mock.close()
  }
}
