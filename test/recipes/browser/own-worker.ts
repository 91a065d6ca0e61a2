import { setupWorker } from 'msw/browser'
import { createMock } from 'petstore-mock'
import { createHandlers } from 'petstore-mock/msw'

const mock = createMock()
const stored = localStorage.getItem('pets')
if (stored !== null) mock.importState(stored)
mock.onChange(() => localStorage.setItem('pets', mock.exportState()))

export const worker = setupWorker(...createHandlers(mock))
await worker.start()
