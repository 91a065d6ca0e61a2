import { createMock } from '../../../src/index.ts'
import { startWorker } from '../../../src/runtimes/browser.ts'

/** Starts and stops in the browser's only page, where msw's worker unregisters itself on each stop. */
export async function run(): Promise<string[]> {
  const seen: string[] = []
  for (let turn = 0; turn < 3; turn++) {
    const worker = await startWorker(createMock())
    const { status } = await fetch('/_mock/health')
    await worker.stop()
    const registrations = await navigator.serviceWorker.getRegistrations()
    seen.push(`${status}, then ${(await fetch('/_mock/health')).status} with ${registrations.length} workers`)
  }
  return seen
}
