import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { createStateFile } from '../../src/cli/serve/state-file.ts'
import { createMock } from '../../src/index.ts'
import { runCli, startServe } from './run-cli.ts'

const JSON_BODY = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  return () => rm(folder, { recursive: true })
})

describe('--state', () => {
  test('keeps every sandbox’s state from one run to the next, ids exact, and reset goes back to the fixture', async () => {
    const file = join(folder, 'kept.json')
    const flags = ['--state', file, '--fixture', 'int64-edges']
    const first = await startServe(...flags)
    await patch(first.url, '9223372036854775807', 77)
    await patch(first.url, '1', 78, 'demo-key~a')
    expect(await first.stop()).toBe(0)

    const second = await startServe(...flags)
    expect(await list(second.url)).toContain('{"petId":9223372036854775807,"quantity":77,"status":"sold"}')
    expect(await list(second.url, 'demo-key~a')).toContain('{"petId":1,"quantity":78,"status":"pending"}')
    await fetch(new URL('/_mock/reset', second.url), { method: 'POST' })
    expect(await list(second.url)).toContain('{"petId":9223372036854775807,"quantity":0,"status":"sold"}')
    await second.stop()
    expect(await readdir(folder)).toEqual(['kept.json'])
  })

  test('POST /_mock/state/save saves at once', async () => {
    const file = join(folder, 'on-demand.json')
    const { url } = await startServe('--state', file)
    await patch(url, '1', 5)
    expect((await fetch(new URL('/_mock/state/save', url), { method: 'POST' })).status).toBe(204)
    const mock = createMock()
    mock.importState(await readFile(file, 'utf8'))
    expect(mock.inventory.get(1)?.quantity).toBe(5)
  })

  test('two saves at once both wait for the file, and a save that finds nothing changed leaves the file alone', async () => {
    const file = join(folder, 'at-once.json')
    const mock = createMock()
    const stateFile = createStateFile(file)
    await stateFile.load(mock)
    const held: (number | undefined)[] = []
    const save = async (quantity: number): Promise<void> => {
      mock.inventory.set(1, { quantity })
      await stateFile.save()
      held.push(await readQuantity(file))
    }
    await Promise.all([save(1), save(2), save(3)])
    expect(held[2]).toBe(3)

    await rm(file)
    await stateFile.save()
    await expect(readFile(file)).rejects.toThrow('ENOENT')
    mock.inventory.set(1, { quantity: 4 })
    await stateFile.save()
    expect(await readQuantity(file)).toBe(4)
  })

  test('without a file the route says what to do', async () => {
    const answer = await createMock().fetch('/_mock/state/save', { method: 'POST' })
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining('--state FILE') }),
    ])
  })

  test('a file of version 0.1.0 is taken up', async () => {
    const file = join(folder, 'old.json')
    await copyFile(`${import.meta.dirname}/state-of-0.1.0.json`, file)
    const { url } = await startServe('--state', file)
    expect(await list(url)).toBe('[{"petId":9223372036854775807,"quantity":41,"status":"sold"}]')
    expect(await list(url, 'demo-key~checkout-7')).toBe('[]')
  })

  test.each([
    ['{', /bad\.json: is not JSON/],
    ['null', /bad\.json: version: must be 1/],
    ['{"version":2,"sandboxes":{}}', /bad\.json: version: must be 1, got 2/],
    ['{"version":1}', /bad\.json: sandboxes: must be an object/],
    [
      '{"version":1,"sandboxes":{"a":{"inventory":[{}]}}}',
      /bad\.json: sandboxes\.a: inventory\[0\]\.petId: is required/,
    ],
  ])('%s is refused, and left as it is', async (content, message) => {
    const file = join(folder, 'bad.json')
    await writeFile(file, content)
    const { code, err } = await runCli('serve', '--port', '0', '--state', file)
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
    expect(await readFile(file, 'utf8')).toBe(content)
  })

  test('a file that cannot be written is told, exit code 2', async () => {
    const { stop, err } = await startServe('--state', join(folder, 'no-such-folder', 'state.json'))
    expect([await stop(), err()]).toEqual([
      2,
      expect.stringMatching(/--state: .* cannot be written \(there is no such file\)/),
    ])
  })

  test('killed 100 times in the middle of saves, the file is always the old state or the new', {
    timeout: 120_000,
  }, async () => {
    const file = join(folder, 'killed.json')
    const states = ['empty', 'default'].map((fixture) => createMock({ fixture }).exportState())
    const kill = async (index: number): Promise<void> => {
      const own = `${file}.${index % 4}`
      const args = [`${import.meta.dirname}/save-in-a-loop.ts`, own]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(child.stdout, 'data')
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 25))
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(states).toContain(await readFile(own, 'utf8'))
    }
    const rounds = Array.from({ length: 100 }, (_, index) => index)
    for (let start = 0; start < rounds.length; start += 4) {
      await Promise.all(rounds.slice(start, start + 4).map(kill))
    }
  })
})

async function readQuantity(file: string): Promise<number | undefined> {
  const mock = createMock()
  mock.importState(await readFile(file, 'utf8'))
  return mock.inventory.get(1)?.quantity
}

async function patch(url: string, petId: string, quantity: number, key = 'demo-key'): Promise<void> {
  const headers = { ...JSON_BODY, authorization: `Bearer ${key}` }
  const answer = await fetch(`${url}/inventory/${petId}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ quantity }),
  })
  expect(answer.status).toBe(200)
}

async function list(url: string, key = 'demo-key'): Promise<string> {
  return (await fetch(`${url}/inventory`, { headers: { authorization: `Bearer ${key}` } })).text()
}
