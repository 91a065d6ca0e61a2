import { createMock } from '../../../src/index.ts'
import { startWorker } from '../../../src/runtimes/browser.ts'

/** Whether a page gets answers of the mock at another origin. */
export async function run(mode: 'worker' | 'page'): Promise<string> {
  try {
    await using _worker = await startWorker(createMock(), { mode })
    const headers = { authorization: 'Bearer demo-key' }
    const { status } = await fetch('https://api.petstore.example/v1/inventory', { headers })
    return status === 200 ? 'yes' : String(status)
  } catch {
    return 'no'
  }
}
