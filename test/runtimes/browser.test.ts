import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { startWorker } from '../../src/runtimes/browser.ts'

test('startWorker outside a page says so', async () => {
  await expect(startWorker(createMock())).rejects.toThrow(
    expect.objectContaining({
      name: 'MockError',
      code: 'WORKER_START',
      message: expect.stringContaining('not a page'),
    }),
  )
})
