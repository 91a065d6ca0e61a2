import { createMock } from 'petstore-inventory-mock'
import { startWorker } from 'petstore-inventory-mock/browser'

const worker = await startWorker(createMock(), { persist: true })
import.meta.hot?.accept()
import.meta.hot?.dispose(() => worker.stop())
