import createClient from 'openapi-fetch'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMock, type Mock, type paths } from '../../src/index.ts'
import { interceptRequests } from '../../src/runtimes/node.ts'
import { serve } from '../../src/runtimes/server.ts'

/** The page's service worker has the same test in test/browser. */
const RUNTIMES: Readonly<Record<string, (mock: Mock) => Promise<{ baseUrl: string; fetch?: typeof fetch }>>> = {
  'mock.fetch': async (mock) => ({ baseUrl: 'https://api.petstore.example/v1', fetch: mock.fetch as typeof fetch }),
  interceptRequests: async (mock) => {
    const interception = interceptRequests(mock)
    onTestFinished(() => interception.stop())
    return { baseUrl: 'https://api.petstore.example/v1' }
  },
  server: async (mock) => {
    const server = await serve(mock)
    onTestFinished(() => server.close())
    return { baseUrl: `${server.url}/v1` }
  },
}

describe.each(Object.entries(RUNTIMES))('a client generated from the specification, over %s', (_, connect) => {
  test('lists, updates, and is told what is wrong', async () => {
    const mock = createMock()
    const client = createClient<paths>({
      ...(await connect(mock)),
      headers: { authorization: `Bearer ${mock.apiKey}` },
    })

    const list = await client.GET('/inventory')
    expect(list.data?.[0]).toEqual({ petId: 1, quantity: 12, status: 'available' })

    const update = await client.PATCH('/inventory/{petId}', { params: { path: { petId: 1 } }, body: { quantity: 20 } })
    expect(update.data).toEqual({ petId: 1, quantity: 20, status: 'available' })

    const missing = await client.PATCH('/inventory/{petId}', {
      params: { path: { petId: 404 } },
      body: { quantity: 20 },
    })
    expect(missing.error).toEqual({ code: 'not_found', message: 'There is no pet 404', status: 404 })
  })
})
