import { expect, onTestFinished, test, vi } from 'vitest'
import { type ConnectOptions, connectMock } from '../../src/client/connect-mock.ts'
import { createMock, type Fault } from '../../src/index.ts'
import { type InterceptOptions, interceptRequests } from '../../src/runtimes/node.ts'
import { serve } from '../../src/runtimes/server.ts'

const LIST = 'https://api.petstore.example/v1/inventory'
const headers = { authorization: 'Bearer demo-key' }

/** A mock that this process only knows by its address. */
async function interceptFor(options: ConnectOptions & InterceptOptions = {}, path = '') {
  const { onUnhandledRequest = 'error', ...connectOptions } = options
  const mock = createMock()
  const server = await serve(mock)
  const remote = connectMock(server.url + path, connectOptions)
  const interception = interceptRequests(remote, { onUnhandledRequest })
  onTestFinished(async () => {
    interception.stop()
    await server.close({ grace: 0 })
  })
  return { mock, remote, server }
}

async function update(quantity: number, more: Record<string, string> = {}): Promise<void> {
  const init = {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json', ...more },
    body: JSON.stringify({ quantity }),
  }
  expect((await fetch(`${LIST}/1?from=page`, init)).status).toBe(200)
}

test('a request of this process changes the mock elsewhere, which its controls see', async () => {
  const { mock, remote, server } = await interceptFor()
  await update(20, { 'x-tries': '1' })
  expect(await remote.inventory.get(1)).toMatchObject({ quantity: 20 })
  const entry = await remote.journal.last()
  expect(entry?.request).toMatchObject({
    method: 'PATCH',
    path: '/v1/inventory/1?from=page',
    headers: { 'x-tries': '1' },
    body: '{"quantity":20}',
  })
  // Requests to the mock's own address are no business of the interception.
  expect((await fetch(`${server.url}/v1/inventory`, { headers })).status).toBe(200)
  expect(mock.journal.entries).toHaveLength(2)
  await expect(fetch('https://api.petstore.example/v2')).rejects.toThrow('onUnhandledRequest')
})

test.each<[Fault, string]>([
  [{ error: 'network' }, 'UND_ERR_SOCKET'],
  [{ error: 'reset' }, 'ECONNRESET'],
  [{ error: 'timeout' }, 'TimeoutError'],
  [{ error: 'truncated' }, 'terminated'],
])('the fault %j there is the same fault here', async (fault, expected) => {
  const { mock } = await interceptFor()
  mock.faults.add(fault)
  const failure = fetch(LIST, { headers, signal: AbortSignal.timeout(500) }).then((response) => response.text())
  const { name, message, cause } = await failure.then(
    () => expect.fail('it succeeded'),
    (error) => error,
  )
  expect([name, message, cause?.code]).toContain(expected)
})

test('a plain key opens the sandbox of connectMock, unless the request names another one', async () => {
  const { mock, remote } = await interceptFor({ sandbox: 'a' })
  await update(1, { baggage: 'x-petstore-mock-sandbox-note=1' })
  await update(2, { authorization: 'Bearer demo-key~b' })
  await update(3, { baggage: 'x=1, petstore-mock-sandbox=c' })
  const quantities = ['default', 'a', 'b', 'c'].map((name) => mock.sandbox(name).inventory.get(1)?.quantity)
  expect(quantities).toEqual([12, 1, 2, 3])
  expect(await remote.inventory.get(1)).toMatchObject({ quantity: 1 })
})

test('the option fetch of connectMock carries the requests', async () => {
  const carry = vi.fn((url: URL, init: RequestInit) => fetch(url, init))
  await interceptFor({ fetch: carry }, '/v1//')
  await update(20)
  expect(carry).toHaveBeenCalledOnce()
})

test('a mock that is not there is a 502 that names it', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { server } = await interceptFor()
  await server.close()
  const response = await fetch(LIST, { headers })
  const sentence = `Failed to reach the mock at ${server.url}: connect ECONNREFUSED`
  expect([response.status, (await response.json()).message]).toEqual([502, expect.stringContaining(sentence)])
  expect(log).toHaveBeenCalledWith(expect.stringContaining(sentence))
  log.mockRestore()
})
