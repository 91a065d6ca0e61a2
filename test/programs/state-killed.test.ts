import { spawn, spawnSync } from 'node:child_process'
import { watch } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openStateFile } from '../../src/cli/serve/state-file.ts'
import { generateFixture } from '../../src/index.ts'
import { BIN, startBin } from '../cli/start-bin.ts'
import { makeFolder } from '../cli/state-folder.ts'

const KILLS = 8
const CHAINS = 2
/** Pets that always have the same quantity when the state is saved: at both ends of the list, and in another sandbox. */
const PLACES = [
  { key: 'demo-key', petId: 1 },
  { key: 'demo-key', petId: 50_000 },
  { key: 'demo-key~a', petId: 25_000 },
]

test(`killed ${KILLS} times in saves of 50,000 pets, the file has lost nothing, and nothing is left beside it`, async () => {
  const [folder, states] = [await makeFolder(), await makeFolder()]
  const fixture = join(folder, 'fixture.json')
  await writeFile(fixture, JSON.stringify(generateFixture({ pets: 50_000 })))
  const chain = async (name: string): Promise<void> => {
    const file = join(states, name)
    let saved = 0
    for (let round = 0; round < KILLS / CHAINS; round += 1) saved = await killInSave(file, { fixture, before: saved })
    const stateFile = await openStateFile(file)
    stateFile.close()
  }
  const names = Array.from({ length: CHAINS }, (_, index) => `${index}.json`)
  await Promise.all(names.map(chain))
  expect((await readdir(states)).sort()).toEqual(names)
})

describe.skipIf(process.platform === 'win32' /* it has no such signals and no zombies */)('a process', () => {
  test('holds its file, also while it is suspended, until it is killed; then the next has it at once', async () => {
    const folder = await makeFolder()
    const file = join(folder, 'state.json')
    await using server = await startBin('--state', file)
    await expect(openStateFile(file)).rejects.toThrow(`in use by process ${server.child.pid}.`)
    server.child.kill('SIGSTOP')
    await expect(openStateFile(file)).rejects.toThrow('in use by another process.')
    server.child.kill('SIGKILL')
    await server.exit
    const stateFile = await openStateFile(file)
    stateFile.close()
    expect(await readdir(folder)).toEqual([])
  })

  test('that has its file open ends when it has nothing else to do', async () => {
    const file = join(await makeFolder(), 'state.json')
    const open = `const { openStateFile } = await import(process.argv[1]); await openStateFile(process.argv[2])`
    const args = ['--input-type=module', '-e', open, import.meta.resolve('../../src/cli/serve/state-file.ts'), file]
    expect(spawnSync(process.execPath, args, { timeout: 20_000 }).status).toBe(0)
  })

  test('that was killed, and that nobody has waited for, does not keep its file', async () => {
    const file = join(await makeFolder(), 'state.json')
    // A parent that never waits, like the first process of many containers.
    const script = '"$@" & echo "$!"; exec cat'
    const command = [process.execPath, BIN, '--port', '0', '--log', 'json', '--state', file]
    const parent = spawn('sh', ['-c', script, 'sh', ...command], { stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void parent.stdin.end())
    const lines = createInterface(parent.stdout)[Symbol.asyncIterator]()
    const pid = Number((await lines.next()).value)
    await lines.next()
    await expect(openStateFile(file)).rejects.toThrow(`in use by process ${pid}.`)
    process.kill(pid, 'SIGKILL')
    const stateFile = await vi.waitFor(() => openStateFile(file))
    // It is still there: a zombie has an id.
    expect(process.kill(pid, 0)).toBe(true)
    stateFile.close()
  })

  test('that was killed is replaced where sockets are files, as on macOS', async () => {
    const folder = await makeFolder()
    const file = join(folder, 'state.json')
    const sockets = join(folder, 'sockets')
    await mkdir(sockets)
    vi.stubEnv('TMPDIR', sockets)
    const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor
    Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' })
    onTestFinished(() => {
      vi.unstubAllEnvs()
      Object.defineProperty(process, 'platform', platform)
    })
    const first = await openStateFile(file)
    const [name = ''] = await readdir(sockets)
    first.close()
    expect(await readdir(sockets)).toEqual([])
    const listen = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', listen, join(sockets, name)])
    expect(await readdir(sockets)).toEqual([name])
    const second = await openStateFile(file)
    await expect(openStateFile(file)).rejects.toThrow(`in use by process ${process.pid}.`)
    second.close()
  })
})

/**
 * Lets a server save until it is killed in the middle of a save.
 * @param before The quantity that was said to be saved last; 0 if nothing was.
 * @returns The same afterwards.
 */
async function killInSave(file: string, { fixture, before }: { fixture: string; before: number }): Promise<number> {
  await using server = await startBin('--state', file, '--fixture', fixture)
  const ask = (path: string, { key = 'demo-key', ...init }: RequestInit & { key?: string } = {}): Promise<Response> =>
    fetch(new URL(path, server.url), {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
  const readQuantity = async ({ key, petId }: (typeof PLACES)[number]): Promise<number> => {
    const pets = (await (await ask('/v1/inventory', { key })).json()) as { petId: number; quantity: number }[]
    return pets.find((pet) => pet.petId === petId)?.quantity ?? Number.NaN
  }
  /** Resolves with false if the server is killed meanwhile. */
  const save = async (quantity: number): Promise<boolean> => {
    const body = JSON.stringify({ quantity })
    const update = ({ key, petId }: (typeof PLACES)[number]) =>
      ask(`/v1/inventory/${petId}`, { method: 'PATCH', key, body })
    const responses = await Promise.all(PLACES.map(update)).catch(() => [])
    const saved = responses.length > 0 && (await ask('/_mock/state/save', { method: 'POST' }).catch(() => undefined))
    if (!saved) return false
    expect([...responses, saved].map(({ status }) => status)).toEqual([200, 200, 200, 204])
    return true
  }
  let last = before
  if (before > 0) {
    const found = await Promise.all(PLACES.map(readQuantity))
    // The save that was cut may have come to its end, unheard. All places are of one moment.
    last = found[0] ?? Number.NaN
    expect([before, before + 1]).toContain(last)
    expect(found).toEqual([last, last, last])
  }
  expect(await save(last + 1)).toBe(true)
  last += 1
  // A save creates, writes and renames a file: each is an event in the folder, and the kill comes right behind one of them.
  let events = Math.ceil(Math.random() * 6)
  const watcher = watch(dirname(file), (_, name) => {
    if (name?.startsWith(basename(file)) && --events === 0) server.child.kill('SIGKILL')
  })
  while (await save(last + 1)) last += 1
  watcher.close()
  expect(await server.exit).toBe('SIGKILL')
  return last
}
