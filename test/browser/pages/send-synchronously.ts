import { createMock } from '../../../src/index.ts'
import { startWorker } from '../../../src/runtimes/browser.ts'

/** What becomes of a synchronous XMLHttpRequest. */
export async function run(mode: 'worker' | 'page'): Promise<string> {
  await using _worker = await startWorker(createMock(), { mode })
  const request = new XMLHttpRequest()
  request.open('GET', '/v1/inventory', false)
  request.setRequestHeader('authorization', 'Bearer demo-key')
  // Another one under way must make no difference.
  void fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
  try {
    request.send()
  } catch (error) {
    return `fails: ${(error as Error).name}`
  }
  return request.status === 200 ? 'yes' : 'no'
}
