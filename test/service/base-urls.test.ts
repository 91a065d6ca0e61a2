import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import { createHandlers } from '../../src/msw/create-handlers.ts'
import { interceptRequests } from '../../src/runtimes/node.ts'
import { serve } from '../../src/runtimes/server.ts'

const headers = { authorization: 'Bearer demo-key' }
const PRODUCTION = 'https://api.petstore.example/v1'
const STAGING = 'https://staging.petstore.example/petstore/v1'

describe.each<[string, (mock: Mock) => () => void]>([
  ['interceptRequests', (mock) => interceptRequests(mock, { onUnhandledRequest: 'error' }).stop],
  [
    'createHandlers',
    (mock) => {
      const server = setupServer(
        ...createHandlers(mock),
        http.all('*', () => HttpResponse.error()),
      )
      server.listen()
      return () => server.close()
    },
  ],
])('%s with a list of base URLs', (_, start) => {
  test.each([
    [`${PRODUCTION}/inventory`, 200],
    [`${STAGING}/inventory`, 200],
    [`${PRODUCTION}/unknown`, 404],
    ['https://staging.petstore.example/v1/inventory', 'network'],
    ['https://api.petstore.example/petstore/v1/inventory', 'network'],
    ['https://other.example/v1/inventory', 'network'],
  ])('%s is %s', async (url, wanted) => {
    const stop = start(createMock({ baseUrl: [PRODUCTION, STAGING] }))
    onTestFinished(stop)
    const answered = fetch(url, { headers }).then(
      ({ status }) => status,
      () => 'network',
    )
    expect(await answered).toBe(wanted)
  })
})

test('mock.fetch and the server answer below each path, and name the first address', async () => {
  const mock = createMock({ baseUrl: [PRODUCTION, STAGING] })
  const server = await serve(mock)
  onTestFinished(() => server.close())
  for (const path of ['/v1/inventory', '/petstore/v1/inventory']) {
    expect((await mock.fetch(path, { headers })).status).toBe(200)
    expect((await fetch(server.url + path, { headers })).status).toBe(200)
  }
  expect((await mock.fetch('/petstore/inventory', { headers })).status).toBe(404)
  const health = (await (await mock.fetch('/_mock/health')).json()) as { basePath: string }
  const { servers } = (await (await mock.fetch('/_mock/spec.json')).json()) as { servers: { url: string }[] }
  expect([health.basePath, servers.map(({ url }) => url)]).toEqual(['/v1', [PRODUCTION, STAGING]])
})
