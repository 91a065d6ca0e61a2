import { createMock } from 'petstore-mock'
import { startWorker } from 'petstore-mock/browser'

const worker = await startWorker(createMock(), { persist: true })
import.meta.hot?.accept()
import.meta.hot?.dispose(() => void worker.stop())
