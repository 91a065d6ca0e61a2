import { setupWorker } from 'msw/browser'
import { mswLoader } from 'msw-storybook-addon/csf3'
import { createHandlers } from 'petstore-mock/msw'
import { mock } from './mock.js'

export default {
  loaders: [
    mswLoader(async () => {
      const worker = setupWorker(...createHandlers(mock))
      await worker.start({ onUnhandledRequest: 'bypass', quiet: true })
      return worker
    }),
  ],
  beforeEach: () => mock.reset(),
}
