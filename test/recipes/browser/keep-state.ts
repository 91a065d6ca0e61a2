import { createMock } from 'petstore-mock'
import { startWorker } from 'petstore-mock/browser'

export const worker = await startWorker(createMock(), { persist: true })
