import { setupServer } from 'msw/node'
import { createMock } from 'petstore-mock'
import { createHandlers } from 'petstore-mock/msw'
import { afterAll, beforeAll, expect, test } from 'vitest'

const mock = createMock({ baseUrl: 'https://api.petstore.example/v1' })
const server = setupServer(...createHandlers(mock))
beforeAll(() => server.listen())
afterAll(() => server.close())

test('the seed has ten pets', async () => {
  const headers = { authorization: `Bearer ${mock.apiKey}` }
  const response = await fetch('https://api.petstore.example/v1/inventory', { headers })
  expect(await response.json()).toHaveLength(10)
})
