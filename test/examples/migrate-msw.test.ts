import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createMock } from 'petstore-mock'
import { createHandlers } from 'petstore-mock/msw'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const mock = createMock({ fixture: 'low-stock' })
const server = setupServer(
  ...createHandlers(mock),
  http.get('https://other.example/weather', () => HttpResponse.json({ sky: 'blue' })),
)
// In msw 2, the option is onUnhandledRequest.
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => {
  server.resetHandlers()
  mock.reset()
})
afterAll(() => server.close())

test('the mock and your own handlers share one server', async () => {
  mock.faults.add({ operation: 'listInventory', status: 503, times: 1 })
  const headers = { authorization: `Bearer ${mock.apiKey}` }
  const list = () => fetch('https://api.petstore.example/v1/inventory', { headers })

  expect((await list()).status).toBe(503)
  expect((await list()).status).toBe(200)
  expect(await (await fetch('https://other.example/weather')).json()).toEqual({ sky: 'blue' })
})
