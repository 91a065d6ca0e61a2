import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
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

test.each([
  ['[', 'http://localhost/v1/inventory'],
  ['pets.example/_mock/reset?', 'http://pets.example/v1/inventory'],
  ['user:pass@pets.example:8080', 'http://pets.example:8080/v1/inventory'],
])('a request with the Host %s is exported at %s', async (host, url) => {
  const mock = createMock()
  await using server = await serve(mock)
  await send(server.port, `GET /v1/inventory HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  expect(mock.journal.export().log.entries).toMatchObject([{ request: { url } }])
})

test('the archive is also sent to a client that asks for it at a URL of another scheme', async () => {
  const mock = createMock()
  await using server = await serve(mock)
  await fetch(`${server.url}/v1/inventory`)
  const target = 'foo://127.0.0.1/_mock/journal.har'
  const response = await send(server.port, `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)
  expect(response).toMatch(/^HTTP\/1.1 200 /)
  expect(response).toContain('http://localhost/v1/inventory')
})

async function send(port: number, head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(head)
  return text(socket)
}
