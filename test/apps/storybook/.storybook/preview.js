import { setupWorker } from 'msw/browser'
import { mswLoader } from 'msw-storybook-addon/csf3'
import { createHandlers } from 'petstore-mock/msw'
import { mock } from './mock.js'

export default {
  loaders: [
    mswLoader(async () => {
      const worker = setupWorker(...createHandlers(mock))
      // In msw 2, the option is onUnhandledRequest.
      await worker.start({ onUnhandledFrame: 'bypass', quiet: true })
      return worker
    }),
  ],
  beforeEach: () => mock.reset(),
}
