import { createMock } from 'petstore-mock'
import { serve } from 'petstore-mock/server'
import { expect, test } from 'vitest'

test('the program under test talks to the mock over TCP', async () => {
  const mock = createMock()
  await using server = await serve(mock)

  const response = await fetch(`${server.url}/v1/inventory`, {
    headers: { authorization: `Bearer ${mock.apiKey}` },
  })

  expect(await response.json()).toHaveLength(10)
})
