import { createMock } from 'petstore-mock'
import { startWorker } from 'petstore-mock/browser'

await startWorker(createMock(), { persist: true })
import.meta.hot?.accept()
