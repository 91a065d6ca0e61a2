import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves the page of the examples while the suite runs; its address is the `baseURL`. */
export default async function serveShop(): Promise<() => Promise<void>> {
  const page = await readFile(`${import.meta.dirname}/shop.html`)
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.env['SHOP_URL'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  }
}
