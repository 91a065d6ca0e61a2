import { describe, onTestFinished, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { startWorker } from '../../src/runtimes/browser.ts'
import { expectSent, OUTCOMES, sendByFetch, sendByXhr } from '../runtimes/sent-bodies.ts'

describe.each(['worker', 'page'] as const)('in mode %s, what was sent is in the journal with the response', (mode) => {
  describe.each(Object.entries({ fetch: sendByFetch, XMLHttpRequest: sendByXhr }))('to %s', (_, send) => {
    test.each(Object.entries(OUTCOMES))('%s', async (_, outcome) => {
      const mock = createMock(outcome.options)
      const worker = await startWorker(mock, { mode, quiet: true })
      onTestFinished(() => {
        // A client that has given up still has a request without an end.
        mock.reset()
        return worker.stop()
      })
      await expectSent(send, { mock, outcome })
    })
  })
})
