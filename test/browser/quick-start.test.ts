import { createMock } from 'petstore-mock'
import { startWorker } from 'petstore-mock/browser'
import { expect, test } from 'vitest'

test('the page’s requests are answered by its service worker', async () => {
  const mock = createMock()
  const worker = await startWorker(mock)

  const response = await fetch('/v1/inventory', {
    headers: { authorization: `Bearer ${mock.apiKey}` },
  })

  expect(await response.json()).toHaveLength(10)
  await worker.stop()
})
