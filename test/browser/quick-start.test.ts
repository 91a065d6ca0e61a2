import { createMock } from 'petstore-mock'
import { startWorker } from 'petstore-mock/browser'
import { expect, test } from 'vitest'

test('a page is answered by its service worker', async () => {
  const mock = createMock()
  const worker = await startWorker(mock)

  const answer = await fetch('/v1/inventory', {
    headers: { authorization: `Bearer ${mock.apiKey}` },
  })

  expect(await answer.json()).toHaveLength(10)
  await worker.stop()
})
