import { createMock } from '../../../src/index.ts'
import { startWorker } from '../../../src/runtimes/browser.ts'

/** What becomes of a synchronous XMLHttpRequest. */
export async function run(mode: 'worker' | 'page'): Promise<string> {
  await using _worker = await startWorker(createMock(), { mode })
  const request = new XMLHttpRequest()
  request.open('GET', '/v1/inventory', false)
  request.setRequestHeader('authorization', 'Bearer demo-key')
  request.send()
  return request.status === 200 ? 'yes' : 'no'
}
