import { createMock } from 'petstore-mock'
import { startWorker } from 'petstore-mock/browser'

const worker = await startWorker(createMock(), { mode: 'page' })
const response = await fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
document.title = String(((await response.json()) as unknown[]).length)
await worker.stop()
