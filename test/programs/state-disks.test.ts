import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStateFile } from '../../src/cli/serve/state-file.ts'
import { generateFixture } from '../../src/index.ts'
import { runCli, startServe } from '../cli/run-cli.ts'
import { IS_ROOT, makeFolder } from '../cli/state-folder.ts'

/** Whether file systems can be mounted here: on Linux, as root, if the container allows it. The namespace ends with the command. */
const MOUNT = ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']
const CAN_MOUNT = IS_ROOT && spawnSync('unshare', MOUNT).status === 0

/** A folder on a file system of its own. */
async function mountFolder(options: string): Promise<string> {
  const folder = await makeFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', [folder]))
  return folder
}

test.skipIf(!CAN_MOUNT)('a file system that is read-only is refused before the start (needs root)', async () => {
  await expect(openStateFile(join(await mountFolder('ro'), 'state.json'))).rejects.toThrow('EROFS: ')
})

describe.skipIf(!CAN_MOUNT)('a disk that is full (needs root)', () => {
  test('is told over HTTP and at the end in a sentence, and the file stays whole', async () => {
    const file = join(await mountFolder('size=64k'), 'state.json')
    const { ask, stop, err } = await startServe('--state', file)
    const save = (): Promise<Response> => ask('/_mock/state/save', { method: 'POST' })
    await ask('/inventory/1', { method: 'PATCH', body: { quantity: 5 } })
    expect((await save()).status).toBe(204)
    const before = await readFile(file, 'utf8')

    await ask('/_mock/state', { method: 'PUT', body: generateFixture({ pets: 10_000 }) })
    const response = await save()
    const message = expect.stringContaining(`Failed to save the state: ${file} cannot be written (ENOSPC: `)
    expect([response.status, await response.json()]).toEqual([500, { code: 'internal_error', message, status: 500 }])
    expect([await readFile(file, 'utf8'), err()]).toEqual([before, ''])
    expect([await stop(), err()]).toEqual([2, message])
    expect(await readFile(file, 'utf8')).toBe(before)
    expect(await readdir(join(file, '..'))).toEqual(['state.json'])
  })
})

// Windows lets its folders be written to.
describe.skipIf(process.platform === 'win32' || (IS_ROOT && !CAN_MOUNT))('a folder that becomes read-only', () => {
  const toReadOnly = (folder: string): string => (IS_ROOT ? `mount -o remount,ro ${folder}` : `chmod 555 ${folder}`)
  const makeOwnFolder = async (): Promise<string> => {
    if (IS_ROOT) return mountFolder('size=64k')
    const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
    onTestFinished(() => chmod(folder, 0o755).then(() => rm(folder, { recursive: true })))
    return folder
  }

  test('is told at the end of serve in a sentence, with exit code 2', async () => {
    const folder = await makeOwnFolder()
    const { stop, err } = await startServe('--state', join(folder, 'state.json'))
    execFileSync('sh', ['-c', toReadOnly(folder)])
    expect([await stop(), err()]).toEqual([2, expect.stringMatching(/^petstore-mock: [^\n]*(EROFS|EACCES)[^\n]*$/)])
  })

  test.each([
    [3, 3],
    [0, 2],
  ])('under exec, a command that exits with %i ends with %i', async (own, expected) => {
    const folder = await makeOwnFolder()
    const command = `${toReadOnly(folder)}; exit ${own}`
    const { code, err } = await runCli('exec', '-q', '--state', join(folder, 's.json'), '--', 'sh', '-c', command)
    expect([code, err]).toEqual([expected, expect.stringMatching(/EROFS|EACCES/)])
  })
})
