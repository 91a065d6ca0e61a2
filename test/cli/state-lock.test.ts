import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openStateFile } from '../../src/cli/serve/state-file.ts'
import { LockHeldError, takeStateLock } from '../../src/cli/serve/state-lock.ts'
import { createMock, MockError } from '../../src/index.ts'
import { runCli, startServe } from './run-cli.ts'
import { makeFolder, patch, readState } from './state-folder.ts'

/** In milliseconds; the five seconds of a real start would only be waited for. */
const PATIENCE = { patience: 300, poll: 20 }

describe('one server at a time holds a state file', () => {
  test('a second one is refused by name, and the first goes on', async () => {
    const file = join(await makeFolder(), 'state.json')
    const { url, stop } = await startServe('--state', file)
    const { code, err } = await runCli('serve', '--port', '0', '--state', file)
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(
        new RegExp(
          `^petstore-mock: --state: ${file} is in use by process ${process.pid} on \\S+\\. Stop that server, or use another file here\\. \\(Lock file: ${file}\\.lock\\)$`,
        ),
      ),
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
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(`in use by process ${child.pid} on`)])
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await readdir(folder)).toContain('state.json.lock')
    const { stop } = await startServe('--state', file)
    expect(await stop()).toBe(0)
    expect(await readdir(folder)).toEqual(['state.json'])
  })

  test('of several that start beside a lock that was left, one gets the file', async () => {
    const path = join(await makeFolder(), 'lock')
    await writeFile(path, JSON.stringify({ ...(await readOwner()), pid: await findFreePid() }))
    const starts = await Promise.allSettled(Array.from({ length: 8 }, () => takeStateLock(path, PATIENCE)))
    const winners = starts.filter(({ status }) => status === 'fulfilled')
    const losers = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason as unknown] : []))
    expect(winners).toHaveLength(1)
    expect(losers.every((reason) => reason instanceof LockHeldError)).toBe(true)
    const [winner] = winners.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
    expect(await winner?.findThief()).toBeUndefined()
    await winner?.release()
  })
})

test('a lock shows that its server lives', async () => {
  const path = join(await makeFolder(), 'lock')
  const lock = await takeStateLock(path)
  onTestFinished(() => lock.release())
  const { mtimeMs } = await stat(path)
  await vi.waitFor(async () => expect((await stat(path)).mtimeMs).not.toBe(mtimeMs), { timeout: 20_000 })
})

describe('a lock that was left', () => {
  async function expectTaken(path: string): Promise<void> {
    const lock = await takeStateLock(path, PATIENCE)
    expect(await lock.findThief()).toBeUndefined()
    await lock.release()
    await expect(readFile(path)).rejects.toThrow('ENOENT')
  }

  test('by a process whose id another process has now', async () => {
    const path = join(await makeFolder(), 'lock')
    await writeFile(path, JSON.stringify({ ...(await readOwner()), started: '1' }))
    await expectTaken(path)
  })

  test('on another machine, or in another container, is taken when it shows no sign of life', async () => {
    const path = join(await makeFolder(), 'lock')
    await writeFile(path, JSON.stringify({ ...(await readOwner()), host: 'elsewhere', space: 'elsewhere' }))
    await expectTaken(path)
  })

  test('on another machine, and not left at all, is respected', async () => {
    const path = join(await makeFolder(), 'lock')
    await writeFile(path, JSON.stringify({ ...(await readOwner()), pid: 7, host: 'elsewhere', space: 'elsewhere' }))
    let seconds = 1_000
    const beating = setInterval(() => {
      seconds += 1
      void utimes(path, seconds, seconds).catch(() => {})
    }, 20)
    onTestFinished(() => clearInterval(beating))
    await expect(takeStateLock(path, PATIENCE)).rejects.toThrow('The lock is held by process 7 on elsewhere')
  })

  test.each(['', '{"pid":', 'null', '[]', '{}'])(
    'with the content %j, by a server that was killed while it wrote',
    async (content) => {
      const path = join(await makeFolder(), 'lock')
      await writeFile(path, content)
      await expectTaken(path)
    },
  )
})

describe('a server that lost its lock', () => {
  test('saves no more where another server has it, says so, and leaves it alone', async () => {
    const file = join(await makeFolder(), 'state.json')
    const [mock, stateFile] = [createMock(), await openStateFile(file)]
    await stateFile.load(mock)
    await stateFile.save()
    const before = await readFile(file, 'utf8')
    await writeFile(
      `${file}.lock`,
      JSON.stringify({ token: 'other', pid: 7, host: 'elsewhere', space: '', started: '' }),
    )
    mock.inventory.set(1, { quantity: 5 })
    const saved = stateFile.save()
    await expect(saved).rejects.toThrow(`${file} cannot be written (process 7 on elsewhere has taken it over)`)
    await expect(saved).rejects.toThrow(MockError)
    expect(await readFile(file, 'utf8')).toBe(before)
    await stateFile.close()
    expect(await readFile(`${file}.lock`, 'utf8')).toContain('"other"')
  })

  test('takes it again where somebody only deleted it', async () => {
    const file = join(await makeFolder(), 'state.json')
    const [mock, stateFile] = [createMock(), await openStateFile(file)]
    await stateFile.load(mock)
    await rm(`${file}.lock`)
    mock.inventory.set(1, { quantity: 5 })
    await stateFile.save()
    expect((await readState(file)).inventory.get(1)?.quantity).toBe(5)
    await stateFile.close()
    await expect(readFile(`${file}.lock`)).rejects.toThrow('ENOENT')
  })
})

/** The owner that this process says it is. */
async function readOwner(): Promise<object> {
  const path = join(await makeFolder(), 'own')
  const lock = await takeStateLock(path)
  const owner = JSON.parse(await readFile(path, 'utf8')) as object
  await lock.release()
  return { ...owner, token: 'left' }
}

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
