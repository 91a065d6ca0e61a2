import { createMock } from 'petstore-mock'
import { startWorker } from 'petstore-mock/browser'
import { expect, test } from 'vitest'

test('the page’s requests are answered inside the page', async () => {
  const mock = createMock()
  const worker = await startWorker(mock, { mode: 'page' })

  const response = await fetch('https://api.petstore.example/v1/inventory', {
    headers: { authorization: `Bearer ${mock.apiKey}` },
  })

  expect(await response.json()).toHaveLength(10)
  await worker.stop()
})
