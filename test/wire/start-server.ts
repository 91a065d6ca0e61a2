import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createMock, type MockOptions } from '../../src/index.ts'
import { type InterceptOptions, interceptRequests } from '../../src/runtimes/node.ts'
import { type ServeOptions, serve } from '../../src/runtimes/server.ts'
import { openRawClient } from './raw-client.ts'

/** A server with a mock and a client, until the end of the test. Concurrent tests give their own `onTestFinished`. */
export async function startServer(options: MockOptions = {}, serveOptions: ServeOptions = {}, onEnd = onTestFinished) {
  const mock = createMock(options)
  const server = await serve(mock, serveOptions)
  const client = await openRawClient(server.url)
  onEnd(async () => {
    client.socket.destroy()
    await server.close({ grace: 0 })
  })
  return { mock, server, client }
}

/** A mock that answers the requests of this process, until the end of the test. */
export function intercept(options: MockOptions = {}, interceptOptions: InterceptOptions = {}) {
  const mock = createMock(options)
  const interception = interceptRequests(mock, interceptOptions)
  onTestFinished(() => interception.stop())
  return { mock, interception }
}

/** A server that a mock or a handler asks, until the end of the test. Returns its URL. */
export async function startTarget(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
