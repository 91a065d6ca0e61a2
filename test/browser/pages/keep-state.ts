import { createMock } from '../../../src/index.ts'
import { startWorker } from '../../../src/runtimes/browser.ts'
import type { Mode } from '../features.ts'

/** Whether a second mock in the page restores the state of the first, in each mode. */
export async function run(): Promise<Record<Mode, string>> {
  return { worker: await isKept('worker'), page: await isKept('page') }
}

async function isKept(mode: Mode): Promise<string> {
  const first = createMock()
  const worker = await startWorker(first, { mode, persist: mode })
  first.inventory.set(1, { quantity: 77 })
  await worker.stop()
  const second = createMock()
  await using _worker = await startWorker(second, { mode, persist: mode })
  return second.inventory.get(1)?.quantity === 77 ? 'yes' : 'no'
}
