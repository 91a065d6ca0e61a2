import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { BIN, spawnBin, startBin } from '../cli/start-bin.ts'
import { makeSharedFolder, readQuantity } from '../cli/state-folder.ts'
import { hasProgram } from '../machine.ts'
import { openRawClient, toRequest } from '../wire/raw-client.ts'

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

// Windows has no signals that a process could answer with an orderly end. Beside stalled clients and under load:
// test/hostile/end.test.ts.
describe.skipIf(isWindows)('the end of serve', () => {
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

  test.skipIf(process.platform === 'win32')('a third signal ends it before the save, and says so', async () => {
    const state = join(folder, 'third.json')
    await using server = await startBin('--state', state)
    // A process that is suspended gets all of them together. Windows has no such signals.
    for (const signal of ['SIGSTOP', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGCONT'] as const) server.child.kill(signal)
    const sentence = 'petstore-mock: the state was not saved. The file holds the state of the save before.\n'
    expect([await server.exit, server.err()]).toEqual([130, sentence])
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
    await client.ask('GET', '/_mock/health')
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
    expect(await readQuantity(state)).toBe(77)
  })

  test('an error that a handler of the user leaves behind for the time after the end changes no exit code', async () => {
    await using server = await startBin('--handlers', HANDLERS)
    using client = await openRawClient(server.port)
    await client.ask('DELETE', '/v1/own')
    server.child.kill('SIGTERM')
    expect([await server.exit, server.err()]).toEqual([0, expect.stringContaining('thrown at the end')])
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

  test.skipIf(process.platform !== 'linux' /* has /dev/full */)('on a full disk is exit code 1', async () => {
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [BIN, ...GENERATE], { stdio: ['ignore', full, 'ignore'] })
    expect(await once(child, 'exit')).toEqual([1, null])
    closeSync(full)
  })
})

test.skipIf(!hasProgram('prlimit'))('a request that finds no free file is a 500 (needs prlimit)', async () => {
  await using server = await startBin()
  using client = await openRawClient(server.port)
  await client.send(LIST)
  expect((await client.next()).status).toBe(200)
  execFileSync('prlimit', ['--nofile=1', '--pid', String(server.child.pid)])
  for (const path of ['/_mock/health', '/_mock/']) {
    await client.send(toRequest('GET', path))
    expect((await client.next()).status).toBe(500)
  }
})
