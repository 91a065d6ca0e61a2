// `petstore-mock/browser` in Node: frameworks that render pages on a server load a page's modules there, too.
import { createNoPageError } from './assert-page.ts'

/**
 * A service worker needs a page.
 * @throws {MockError} `WORKER_START`, always
 */
export async function startWorker(): Promise<never> {
  throw createNoPageError()
}
