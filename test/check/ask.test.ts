import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ask, type CheckedService } from '../../src/check/ask.ts'

const GET = { method: 'GET', path: '/inventory', headers: {} }

async function serve(respond: (response: ServerResponse) => void): Promise<CheckedService> {
  const server = createServer((_request, response) => respond(response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'demo-key' }
}

describe('ask', () => {
  test('gives up an endless response at the limit of bytes, and says so', async () => {
    let sent = 0
    const service = await serve((response) => {
      const write = (): void => {
        sent += 1000
        response.write('x'.repeat(1000), (error) => error ?? write())
      }
      write()
    })
    await expect(ask({ ...service, largestResponse: 5000 }, GET)).rejects.toMatchObject({
      message: 'the body is longer than 5000 bytes',
      kind: 'broken',
    })
    expect(sent).toBeGreaterThan(5000)
  })

  test('reads a response of exactly that length', async () => {
    const service = await serve((response) => response.end('x'.repeat(5000)))
    expect((await ask({ ...service, largestResponse: 5000 }, GET)).body.byteLength).toBe(5000)
  })

  test('says of a response without an end that its end is missing', async () => {
    const service = await serve((response) => void response.write('{"inventory":['))
    await expect(ask({ ...service, responseLimitMs: 300 }, GET)).rejects.toMatchObject({
      message: 'no end of the response within 0.3 seconds',
      kind: 'timeout',
    })
  })

  test('says of a service that is silent that there is no response', async () => {
    const service = await serve(() => {})
    await expect(ask({ ...service, responseLimitMs: 300 }, GET)).rejects.toMatchObject({
      message: 'no response within 0.3 seconds',
      kind: 'timeout',
    })
  })
})
