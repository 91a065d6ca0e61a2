import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connectMock } from '../../src/client/connect-mock.ts'
import { createMock } from '../../src/index.ts'
import { type RunningServer, serve } from '../../src/runtimes/server.ts'
import { toService } from '../../src/service/mock.ts'
import { findFreePort, hasProgram } from '../machine.ts'

const SANDBOXES = Array.from({ length: 100 }, (_, index) => `test-${index}`)

describe.skipIf(!hasProgram('haproxy'))('three replicas behind HAProxy (needs haproxy)', () => {
  const mocks = Array.from({ length: 3 }, () => createMock())
  let replicas: readonly RunningServer[] = []
  let folder: string
  let haproxy: ChildProcess
  let ended: Promise<unknown>
  let url: string

  beforeAll(async () => {
    replicas = await Promise.all(mocks.map((mock) => serve(mock)))
    folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
    const port = await findFreePort()
    const config = await writeHaproxyConfig(
      folder,
      port,
      replicas.map((replica) => replica.port),
    )
    haproxy = spawn('haproxy', ['-db', '-f', config], { stdio: 'ignore' })
    ended = once(haproxy, 'exit')
    url = `http://127.0.0.1:${port}`
    await vi.waitFor(() => connectMock(url).health())
  })
  afterAll(async () => {
    haproxy.kill('SIGKILL')
    await ended
    await Promise.all(replicas.map((replica) => replica.close()))
    await rm(folder, { recursive: true })
  })

  test('every answer of a sandbox is consistent, whoever asks and by which way, and the sandboxes are spread', async () => {
    const before = mocks.map((mock) => toService(mock).sandboxes.size)
    await Promise.all(
      SANDBOXES.map(async (sandbox, index) => {
        const remote = connectMock(url, { sandbox })
        for (let quantity = index; quantity < index + 5; quantity += 1) {
          const answer = await fetch(`${url}/v1/inventory/1`, {
            method: 'PATCH',
            headers: { authorization: `Bearer demo-key~${sandbox}`, 'content-type': 'application/json' },
            body: JSON.stringify({ quantity }),
          })
          expect(answer.status).toBe(200)
          expect((await listPets(sandbox))[0]).toMatchObject({ petId: 1, quantity })
          expect((await remote.inventory.get(1))?.quantity).toBe(quantity)
        }
        await remote.inventory.set(2, { quantity: index })
        expect((await listPets(sandbox))[1]).toMatchObject({ petId: 2, quantity: index })
        expect(await remote.journal.entries()).toHaveLength(11)
      }),
    )
    const sizes = mocks.map((mock, index) => toService(mock).sandboxes.size - (before[index] ?? 0))
    expect(sizes.reduce((sum, size) => sum + size)).toBe(SANDBOXES.length)
    for (const size of sizes) expect(size).toBeGreaterThan(10)
  })

  test('a fault that takes the connection is not made good by another replica', async () => {
    const remote = connectMock(url, { sandbox: 'faulty' })
    await remote.faults.add({ error: 'reset' })
    const seen = await fetch(`${url}/v1/inventory`, { headers: { authorization: `Bearer ${remote.apiKey}` } }).then(
      ({ status }) => status,
      () => 'closed',
    )
    // 502 on a fresh connection; one that was used before is closed, so that the client decides whether to try again.
    expect([502, 'closed']).toContain(seen)
    expect(await remote.journal.entries()).toHaveLength(1)
  })

  async function listPets(sandbox: string): Promise<{ petId: number; quantity: number }[]> {
    const answer = await fetch(`${url}/v1/inventory`, { headers: { authorization: `Bearer demo-key~${sandbox}` } })
    return (await answer.json()) as { petId: number; quantity: number }[]
  }
})

const PUBLISHED = new URL('../../docs/haproxy.cfg', import.meta.url)

/** The published configuration on other ports. Gives the file. */
async function writeHaproxyConfig(folder: string, port: number, replicas: readonly number[]): Promise<string> {
  const file = join(folder, `haproxy-${port}.cfg`)
  const text = await readFile(PUBLISHED, 'utf8')
  const toPort = (_: string, index: string): string => `127.0.0.1:${[port, ...replicas][Number(index)]}`
  await writeFile(file, text.replace(/127\.0\.0\.1:410(\d)/g, toPort))
  return file
}
