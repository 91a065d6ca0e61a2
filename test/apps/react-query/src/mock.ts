import { createMock } from 'petstore-mock'
import { startWorker } from 'petstore-mock/browser'
import { queryClient } from './query-client.ts'

const mock = createMock()
mock.onChange(() => void queryClient.invalidateQueries())

await startWorker(mock, { panel: true })
import.meta.hot?.accept()
