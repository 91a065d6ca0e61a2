import { createMock } from '../../../src/index.ts'
import { startWorker } from '../../../src/runtimes/browser.ts'
import type { Mode } from '../features.ts'

/** Whether a page gets answers of the mock at another origin, in each mode. */
export async function run(): Promise<Record<Mode, string>> {
  return { worker: await isAnswered('worker'), page: await isAnswered('page') }
}

async function isAnswered(mode: Mode): Promise<string> {
  try {
    await using _worker = await startWorker(createMock(), { mode })
    const headers = { authorization: 'Bearer demo-key' }
    const { status } = await fetch('https://api.petstore.example/v1/inventory', { headers })
    return status === 200 ? 'yes' : String(status)
  } catch {
    return 'no'
  }
}
