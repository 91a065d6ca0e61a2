import { once } from 'node:events'
import { Agent, request as sendOverHttp } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../hostile/server.ts'

const SANDBOXES = 13
const UPDATES = 260
const BODY = `{"quantity":1,"note":"${'x'.repeat(60 * 1024)}"}`
const JOURNAL_SIZE = 50
/** What the journals keep, the event streams may hold, and a process that has worked keeps besides. */
const LARGEST_GROWTH_MB = (SANDBOXES * JOURNAL_SIZE * BODY.length) / 1024 ** 2 + 4 + 24

test('refused updates of 200 MB beside four stalled event streams leave what the limits say', {
  timeout: 120_000,
}, async () => {
  await using server = await startServer('--journal-size', String(JOURNAL_SIZE))
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  onTestFinished(() => agent.destroy())
  const update = (sandbox: number) => sendRefused(server.port, { agent, sandbox })
  await Promise.all(Array.from({ length: SANDBOXES }, (_, sandbox) => update(sandbox)))
  const before = await server.readMemory()
  for (let sandbox = 0; sandbox < 4; sandbox += 1) await stallEvents(server.port, sandbox)
  for (let turn = 0; turn < UPDATES; turn += 1) {
    await Promise.all(Array.from({ length: SANDBOXES }, (_, sandbox) => update(sandbox)))
  }
  const after = await server.readMemory()
  expect(after - before).toBeLessThan(LARGEST_GROWTH_MB)
  expect(server.stderr).toEqual([])
})

/** The media type is wrong. */
async function sendRefused(port: number, { agent, sandbox }: { agent: Agent; sandbox: number }): Promise<void> {
  const request = sendOverHttp({
    port,
    agent,
    host: '127.0.0.1',
    method: 'PATCH',
    path: '/v1/inventory/1',
    headers: {
      authorization: `Bearer demo-key~s${sandbox}`,
      'content-type': 'text/plain',
      'content-length': BODY.length,
    },
  })
  const responded = once(request, 'response')
  request.end(BODY)
  const [response] = await responded
  expect(response.statusCode).toBe(400)
  await once(response.resume(), 'end')
}

/** A client that begins to follow events, and then reads no more. */
async function stallEvents(port: number, sandbox: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(`GET /_mock/events?sandbox=s${sandbox} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
  await once(socket, 'data')
  socket.pause()
}
