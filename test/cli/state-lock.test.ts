import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { UsageError } from '../../src/cli/io.ts'
import { takeLock } from '../../src/cli/serve/state-file.ts'
import { runCli, startServe } from './run-cli.ts'
import { makeFolder, patch, readState } from './state-folder.ts'

describe('one server at a time holds a state file', () => {
  test('a second one is refused by name, and the first goes on', async () => {
    const file = join(await makeFolder(), 'state.json')
    const { url, stop } = await startServe('--state', file)
    const { code, err } = await runCli('serve', '--port', '0', '--state', file)
    expect([code, err]).toEqual([
      2,
      `petstore-mock: --state: ${file} is in use by process ${process.pid}. Stop that server, or use another file here. (Lock file: ${file}.lock)`,
    ])
    await patch(url, { quantity: 5 })
    expect(await stop()).toBe(0)
    expect((await readState(file)).inventory.get(1)?.quantity).toBe(5)
  })

  test('also one of another process, until it is killed: then the next starts at once and cleans up', async () => {
    const folder = await makeFolder()
    const file = join(folder, 'state.json')
    const child = await startOther(file)
    const refused = await runCli('serve', '--port', '0', '--state', file)
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(`in use by process ${child.pid}.`)])
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await readdir(folder)).toContain('state.json.lock')
    const { stop } = await startServe('--state', file)
    expect(await stop()).toBe(0)
    expect(await readdir(folder)).toEqual(['state.json'])
  })

  test('of several that start beside a lock that was left, one gets the file', async () => {
    const path = join(await makeFolder(), 'lock')
    await writeFile(path, JSON.stringify({ pid: await findFreePid(), started: 0, token: 'left' }))
    const starts = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(path, '--state')))
    const losers = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason as unknown] : []))
    expect(losers).toHaveLength(7)
    expect(losers.every((reason) => reason instanceof UsageError)).toBe(true)
  })
})

describe('a lock that was left', () => {
  const RESTARTED = JSON.stringify({ pid: process.pid, started: 0, token: 'left' })

  test.each(['', '{"pid":', 'null', '[]', '{}', RESTARTED])('as %s is replaced', async (content) => {
    const path = join(await makeFolder(), 'lock')
    await writeFile(path, content)
    const release = await takeLock(path, '--state')
    release()
    await expect(readFile(path)).rejects.toThrow('ENOENT')
  })
})

/** The id of a process that has ended. */
async function findFreePid(): Promise<number | undefined> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid
}

async function startOther(file: string): Promise<ChildProcess> {
  const args = [`${import.meta.dirname}/save-in-a-loop.ts`, file]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}
