import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { createTlsFlags } from '../wire/certificate.ts'
import { openRawClient, toRequest } from '../wire/raw-client.ts'
import { BIN, spawnBin, startBin } from './start-bin.ts'
import { makeSharedFolder, readQuantity } from './state-folder.ts'

const isWindows = process.platform === 'win32'
const LIST = toRequest('GET', '/v1/inventory')
const HANDLERS = fileURLToPath(new URL('handlers-that-misbehave.ts', import.meta.url))
/** Starts a program that prints more than a pipe holds. */
const GENERATE = ['fixture', 'generate', '--pets', '100000']

const folder = await makeSharedFolder()

function toUpdate(petId: number, quantity: number): string {
  return toRequest('PATCH', `/v1/inventory/${petId}`, { body: `{"quantity":${quantity}}` })
}

const HALF_BODY = { 'content-type': 'application/json', 'content-length': '14' }

/** Requests whose clients would keep a server from its end, if they could. */
const STALLED: Readonly<Record<string, string>> = {
  'half a body': `${toRequest('PATCH', '/v1/inventory/2', { headers: HALF_BODY })}{"quan`,
  'half a chunked body': `${toRequest('PATCH', '/v1/inventory/2', {
    headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
  })}e\r\n{"quan`,
  'a body that waits for a 100': toRequest('PATCH', '/v1/inventory/2', {
    headers: { ...HALF_BODY, expect: '100-continue' },
  }),
  'half a head on a used connection': `${toRequest('GET', '/_mock/health')}GET /v1/inven`,
  'half a head on a new connection': 'GET /v1/inven',
  'nothing at all': '',
  'a list of 100,000 pets that nobody reads': LIST,
  'an event stream that nobody reads': toRequest('GET', '/_mock/events'),
  'a fault that never answers': toRequest('GET', '/v1/orders', {
    headers: { authorization: 'Bearer demo-key~timeout' },
  }),
  'a delay of an hour': toRequest('GET', '/v1/inventory', { headers: { authorization: 'Bearer demo-key~delay' } }),
  'a pipeline behind a fault that never answers': `${toRequest('GET', '/_mock/health')}${toRequest(
    'GET',
    '/v1/inventory',
    {
      headers: { authorization: 'Bearer demo-key~timeout' },
    },
  )}${toRequest('PATCH', '/v1/inventory/1', { body: '{"quantity":1}' })}`,
}

// Windows has no signals that a process could answer with an orderly end.
describe.skipIf(isWindows)('the end of serve', () => {
  test(`SIGTERM beside ${Object.keys(STALLED).join(', ')}: exit 0, and every update is in the state file`, async () => {
    const state = join(folder, 'stalled.json')
    await using server = await startBin('--state', state, '--pets', '100000', '--grace', '300ms')
    const control = new URL('/_mock/', server.url)
    for (const [sandbox, fault] of Object.entries({ timeout: { error: 'timeout' }, delay: { delay: 3_600_000 } })) {
      await fetch(new URL(`faults?sandbox=${sandbox}`, control), { method: 'POST', body: JSON.stringify(fault) })
    }
    using updater = await openRawClient(server.port)
    await updater.send(toUpdate(1, 4711))
    expect((await updater.next()).status).toBe(200)
    using clients = new DisposableStack()
    for (const bytes of Object.values(STALLED)) {
      const client = clients.use(await openRawClient(server.port))
      client.socket.pause()
      if (bytes !== '') await client.send(bytes)
    }
    // The response shows that the server has what was sent before.
    await updater.send(toRequest('GET', '/_mock/health'))
    await updater.next()
    server.child.kill('SIGTERM')
    expect([await server.exit, server.err()]).toEqual([0, ''])
    expect(await readQuantity(state)).toBe(4711)
  })

  test('SIGTERM beside a bare TCP connection to a port with TLS is exit 0', async () => {
    await using tls = await createTlsFlags()
    await using server = await startBin(...tls.flags, '--grace', '10m')
    using bare = await openRawClient(server.port)
    await bare.send('GET / HTTP')
    server.child.kill('SIGTERM')
    expect([await server.exit, server.err()]).toEqual([0, ''])
  })

  test.for(['SIGINT', 'SIGHUP'] as const)(
    '%s saves, answers what is in flight, saves that too, and is exit 0',
    async (signal) => {
      const state = join(folder, `${signal}.json`)
      await using server = await startBin('--state', state)
      using client = await openRawClient(server.port)
      await client.send(`${toRequest('PATCH', '/v1/inventory/1', { headers: HALF_BODY })}{"quan`)
      using other = await openRawClient(server.port)
      await other.send(toUpdate(2, 9))
      expect((await other.next()).status).toBe(200)
      server.child.kill(signal)
      await vi.waitFor(() => access(state))
      await client.send('tity":5}')
      const { status, headers } = await client.next()
      expect([status, headers['connection']]).toEqual([200, 'close'])
      expect([await server.exit, server.err()]).toEqual([0, ''])
      expect([await readQuantity(state, 1), await readQuantity(state, 2)]).toEqual([5, 9])
    },
  )

  test('a second signal ends it at once, with the state of the first', async () => {
    const state = join(folder, 'second.json')
    await using server = await startBin('--state', state, '--grace', '10m')
    using client = await openRawClient(server.port)
    await client.send(toUpdate(1, 21))
    await client.next()
    await client.send(toRequest('PATCH', '/v1/inventory/1', { headers: HALF_BODY }))
    using other = await openRawClient(server.port)
    await other.send(LIST)
    await other.next()
    server.child.kill('SIGTERM')
    await other.ended
    server.child.kill('SIGTERM')
    expect([await server.exit, server.err()]).toEqual([130, ''])
    expect(await readQuantity(state)).toBe(21)
  })

  test('errors and timers that a handler of the user leaves behind are logged, and keep neither server nor state', async () => {
    const state = join(folder, 'background.json')
    await using server = await startBin('--state', state, '--handlers', HANDLERS, '--grace', '100ms')
    using client = await openRawClient(server.port)
    await client.send(toUpdate(1, 77))
    expect((await client.next()).status).toBe(200)
    for (const each of ['rejected later', 'thrown later'])
      await vi.waitFor(() => expect(server.err()).toContain(each), 10_000)
    using waiting = await openRawClient(server.port)
    await waiting.send(LIST)
    await client.send(toRequest('GET', '/_mock/health'))
    await client.next()
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
    expect(await readQuantity(state)).toBe(77)
  })

  test('under load, every acknowledged update is in the state file', async () => {
    const state = join(folder, 'load.json')
    await using server = await startBin('--state', state)
    const acknowledged = new Map<number, number>()
    const loads = [1, 2, 3, 4].map((petId) => update(server.port, { petId, acknowledged }))
    while (acknowledged.size < 4) await new Promise(setImmediate)
    server.child.kill('SIGTERM')
    expect([await server.exit, server.err()]).toEqual([0, ''])
    await Promise.all(loads)
    for (const [petId, quantity] of acknowledged) {
      // One more may have been carried out whose response did not arrive.
      expect([quantity, quantity + 1]).toContain(await readQuantity(state, petId))
    }
  })
})

describe.skipIf(isWindows)('output', () => {
  test.for([
    ['stdout', []],
    // Whose errors are written there.
    ['stderr', ['--handlers', HANDLERS]],
  ] as const)('on %s that nobody takes any more does not end the server', async ([name, flags]) => {
    await using server = await startBin(...flags)
    server.child[name].destroy()
    await once(server.child[name], 'close')
    using client = await openRawClient(server.port)
    for (let quantity = 1; quantity < 5; quantity += 1) {
      await client.send(toUpdate(1, quantity))
      expect((await client.next()).status).toBe(200)
    }
    server.child.kill('SIGTERM')
    expect([await server.exit, server.err()]).toEqual([0, ''])
  })

  test('of `fixture generate | head -1` is no error', async () => {
    await using bin = spawnBin(GENERATE)
    bin.child.stdout.once('data', () => bin.child.stdout.destroy())
    expect([await bin.exit, bin.err()]).toEqual([0, ''])
  })

  test('that nobody reads is dropped beyond a limit, and the number of its lines is told', async () => {
    await using server = await startBin()
    server.child.stdout.pause()
    using client = await openRawClient(server.port)
    const path = `/v1/${'a'.repeat(8000)}`
    const requests = 400
    for (let count = 0; count < requests; count += 1) {
      await client.send(toRequest('GET', path))
      await client.next()
    }
    server.child.stdout.resume()
    await vi.waitFor(() => expect(server.err()).toContain('were dropped'), 10_000)
    const dropped = Number(/(\d+) lines/.exec(server.err())?.[1])
    expect(dropped).toBeGreaterThan(0)
    // The first line is that of the start.
    await vi.waitFor(() => expect(server.out().split('\n').length - 2).toBe(requests - dropped), 10_000)
  })

  test.skipIf(process.platform !== 'linux' /* has /dev/full */)('on a full disk is exit code 1', async () => {
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [BIN, ...GENERATE], { stdio: ['ignore', full, 'ignore'] })
    expect(await once(child, 'exit')).toEqual([1, null])
    closeSync(full)
  })
})

/** Updates one pet again and again, each time by one more, until the connection ends. */
async function update(port: number, { petId, acknowledged }: { petId: number; acknowledged: Map<number, number> }) {
  using client = await openRawClient(port)
  for (let quantity = 1; ; quantity += 1) {
    try {
      await client.send(toUpdate(petId, quantity))
      const { status, headers } = await client.next()
      if (status !== 200) return
      acknowledged.set(petId, quantity)
      if (headers['connection'] === 'close') return
    } catch {
      return
    }
  }
}
