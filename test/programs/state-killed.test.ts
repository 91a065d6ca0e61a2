import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openStateFile } from '../../src/cli/serve/state-file.ts'
import { BIN } from '../cli/start-bin.ts'
import { makeFolder } from '../cli/state-folder.ts'

/** A kill takes a start of the program over 100,000 pets, which is a second of work: all 100 run in CI. */
const KILLS = process.env['CI'] === undefined ? 8 : 100
const CHAINS = 4

/** A process that saves again and again. */
function startSaving(file: string): ChildProcessByStdio<null, Readable, null> {
  const args = [`${import.meta.dirname}/save-in-a-loop.ts`, file]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test(`killed ${KILLS} times in saves of 100,000 pets, the file has lost nothing, and nothing is left beside it`, {
  timeout: KILLS * 10_000,
}, async () => {
  const folder = await makeFolder()
  const chain = async (name: string): Promise<void> => {
    const file = join(folder, name)
    let saved = 0
    for (let round = 0; round < KILLS / CHAINS; round += 1) saved = await killInSave(file, saved)
    const stateFile = await openStateFile(file)
    stateFile.close()
  }
  const names = Array.from({ length: CHAINS }, (_, index) => `${index}.json`)
  await Promise.all(names.map(chain))
  expect((await readdir(folder)).sort()).toEqual(names)
})

describe.skipIf(process.platform === 'win32' /* it has no such signals and no zombies */)('a process', () => {
  test('holds its file, also while it is suspended, until it is killed; then the next has it at once', async () => {
    const folder = await makeFolder()
    const file = join(folder, 'state.json')
    const child = startSaving(file)
    await once(child.stdout, 'data')
    await expect(openStateFile(file)).rejects.toThrow(`in use by process ${child.pid}.`)
    child.kill('SIGSTOP')
    await expect(openStateFile(file)).rejects.toThrow('in use by another process.')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const stateFile = await openStateFile(file)
    stateFile.close()
    // It may have been killed in its first save.
    expect((await readdir(folder)).filter((name) => name !== 'state.json')).toEqual([])
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
 * Lets a process save until it is killed at any moment after its first save.
 * @param before The last count that was said to be saved.
 * @returns The same afterwards.
 */
async function killInSave(file: string, before: number): Promise<number> {
  const child = startSaving(file)
  let last = 0
  for await (const line of createInterface(child.stdout)) {
    const { found, saved } = JSON.parse(line) as { found?: number[]; saved?: number }
    if (found !== undefined) {
      // The save that was cut may have come to its end, unheard. All places are of one moment.
      expect([before, before + 1]).toContain(found[0])
      expect(found).toEqual([found[0], found[0], found[0]])
    }
    if (saved === undefined) continue
    if (last === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() * 60)
    last = saved
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
  return last
}
