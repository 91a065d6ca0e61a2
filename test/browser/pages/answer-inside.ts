import axios from 'axios'
import { createMock } from '../../../src/index.ts'
import { startWorker } from '../../../src/runtimes/browser.ts'

/** What a page sees of a mock that answers without a service worker. */
export async function run(): Promise<unknown> {
  const original = fetch
  const mock = createMock()
  const worker = await startWorker(mock, { mode: 'page', onUnhandledRequest: 'error' })
  const headers = { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' }
  await fetch('/v1/inventory/1', { method: 'PATCH', headers, body: '{"quantity":99}' })
  const list = await fetch('https://api.petstore.example/v1/inventory', { headers })
  const { status, data } = await axios.get('/v1/inventory', { headers })
  const seen = {
    isSecure: isSecureContext,
    fetch: [list.status, (await list.json())[0].quantity],
    xhr: [status, data[0].quantity],
  }
  await worker.stop()
  return { ...seen, isGivenBack: fetch === original }
}
