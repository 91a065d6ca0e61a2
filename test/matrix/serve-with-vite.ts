import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Starts the dev server of the Vite that a cell has installed; resolves with its address. */
export async function serveWithVite(): Promise<string> {
  const { createServer } = await import(pathToFileURL(resolve('node_modules/vite/dist/node/index.js')).href)
  const server = await createServer({ logLevel: 'warn', server: { port: 0, host: 'localhost' } })
  await server.listen()
  return server.resolvedUrls.local[0]
}
