import { expect, test } from 'vitest'
import { connectMock } from '../../src/client/connect-mock.ts'
import { serve } from '../../src/runtimes/server.ts'
import { createMock } from '../../src/service/create-mock.ts'

test('GET /journal.har, journal.export() and that of a mock elsewhere are the same HTTP Archive', async () => {
  const mock = createMock()
  await using server = await serve(mock)
  const headers = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }
  await fetch(`${server.url}/v1/inventory?a=1&a=2`, { headers })
  await fetch(`${server.url}/v1/inventory/99`, { method: 'PATCH', headers, body: '{"quantity":9007199254740993}' })
  mock.faults.add({ error: 'reset' })
  await fetch(`${server.url}/v1/inventory`).catch(() => {})
  await fetch(`${server.url}//elsewhere.example/x`)
  const response = await fetch(`${server.url}/_mock/journal.har`)
  expect(response.headers.get('content-type')).toBe('application/json')
  const har = await response.json()
  expect(har).toEqual(mock.journal.export())
  expect(har).toEqual(await connectMock(server.url).journal.export())
  expect(har.log).toMatchObject({
    version: '1.2',
    creator: { name: 'petstore-mock' },
    entries: [
      {
        request: {
          method: 'GET',
          url: `${server.url}/v1/inventory?a=1&a=2`,
          queryString: [{ name: 'a' }, { name: 'a' }],
        },
        response: { status: 200, content: { mimeType: 'application/json' } },
      },
      {
        request: { method: 'PATCH', postData: { mimeType: 'application/json', text: '{"quantity":9007199254740993}' } },
        response: { status: 400 },
      },
      { response: { status: 0 } },
      { request: { url: `${server.url}//elsewhere.example/x` }, response: { status: 404 } },
    ],
  })
  expect(JSON.stringify(har)).not.toContain('demo-key')
})

test('of a mock in this process, the requests without Host are on localhost', async () => {
  const mock = createMock()
  await mock.fetch('https://api.petstore.example/v1/inventory')
  expect(mock.journal.export().log.entries).toMatchObject([{ request: { url: 'http://localhost/v1/inventory' } }])
})
