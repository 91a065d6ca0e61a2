import { createMock } from '../../../src/index.ts'
import { startWorker } from '../../../src/runtimes/browser.ts'

/** Whether a second mock of the page takes up the state of the first. */
export async function run(mode: 'worker' | 'page'): Promise<string> {
  const first = createMock()
  const worker = await startWorker(first, { mode, persist: true })
  first.inventory.set(1, { quantity: 77 })
  await worker.stop()
  const second = createMock()
  await using _worker = await startWorker(second, { mode, persist: true })
  return second.inventory.get(1)?.quantity === 77 ? 'yes' : 'no'
}
