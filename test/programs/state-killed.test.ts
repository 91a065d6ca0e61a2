import { spawn, spawnSync } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openStateFile } from '../../src/cli/serve/state-file.ts'
import { BIN, startBin } from '../cli/start-bin.ts'
import { makeFolder } from '../cli/state-folder.ts'

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
