// `petstore-mock/browser` in Node: frameworks that render pages on a server load a page's modules there, too.
import { assertPage } from './start-errors.ts'

/**
 * A service worker needs a page.
 * @throws {MockError} `WORKER_START`, always
 */
export async function startWorker(): Promise<void> {
  assertPage({})
}

export { startWorker as mountPanel }
