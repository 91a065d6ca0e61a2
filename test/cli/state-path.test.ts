import { execFileSync } from 'node:child_process'
import { chmod, chown, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStateFile } from '../../src/cli/serve/state-file.ts'
import { createMock, generateFixture } from '../../src/index.ts'
import { runCli, startServe } from './run-cli.ts'
import { CAN_MOUNT, makeFolder, mountFolder, patch, post, readState } from './state-folder.ts'

const IS_ROOT = process.getuid?.() === 0

describe('a path where no file can be written ends the start with 2 and one sentence', () => {
  async function expectRefused(file: string, reason: string): Promise<void> {
    const { code, err } = await runCli('serve', '--port', '0', '--state', file)
    expect([code, err]).toEqual([2, expect.stringContaining(`--state: ${file} cannot be written (${reason}`)])
  }

  test.each([
    ['a folder that is not there', 'nowhere/state.json', 'ENOENT: '],
    ['a folder', '.', 'it is not a regular file'],
    ['a file in the place of a folder', 'file/state.json', 'ENOTDIR: '],
    ['links in a circle', 'circle.json', 'ELOOP: '],
  ])('%s', async (_, name, reason) => {
    const folder = await makeFolder()
    await writeFile(join(folder, 'file'), '')
    await symlink('circle.json', join(folder, 'circle.json'))
    await expectRefused(join(folder, name), reason)
  })

  test.skipIf(process.platform === 'win32' /* it has no such devices */)('a device', async () => {
    await expectRefused('/dev/null', 'it is not a regular file')
  })

  test.skipIf(IS_ROOT /* may write everywhere */)('a folder or a file without the permission to write', async () => {
    const folder = await makeFolder()
    const file = join(folder, 'state.json')
    await writeFile(file, '', { mode: 0o444 })
    await expectRefused(file, 'EACCES: ')
    await chmod(folder, 0o555)
    await expectRefused(join(folder, 'new.json'), 'EACCES: ')
    await chmod(folder, 0o755)
  })

  test.skipIf(!CAN_MOUNT /* needs a file system of its own */)('a file system that is read-only', async () => {
    await expectRefused(join(await mountFolder('ro'), 'state.json'), 'EROFS: ')
  })

  test.skipIf(!CAN_MOUNT /* needs a file system of its own */)('a file that is mounted by itself', async () => {
    const folder = await makeFolder()
    const [source, file] = [join(folder, 'source.json'), join(folder, 'a b.json')]
    for (const each of [source, file]) await writeFile(each, createMock().exportState())
    execFileSync('mount', ['--bind', source, file])
    onTestFinished(() => void execFileSync('umount', [file]))
    await expectRefused(file, 'it is a mount point; mount its folder instead')
  })
})

describe.skipIf(!CAN_MOUNT /* needs a file system of its own, to fill it */)('a disk that is full', () => {
  test('is told over HTTP and at the end in a sentence, and the file stays whole', async () => {
    const file = join(await mountFolder('size=64k'), 'state.json')
    const { url, stop, err } = await startServe('--state', file)
    await patch(url, { quantity: 5 })
    expect((await post(url, '/state/save')).status).toBe(204)
    const before = await readFile(file, 'utf8')

    const large = JSON.stringify(generateFixture({ pets: 10_000 }))
    await fetch(new URL('/_mock/state', url), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: large,
    })
    const response = await post(url, '/state/save')
    const message = expect.stringContaining(`Failed to save the state: ${file} cannot be written (ENOSPC: `)
    expect([response.status, await response.json()]).toEqual([500, { code: 'internal_error', message, status: 500 }])
    expect(await readFile(file, 'utf8')).toBe(before)
    expect(err()).toBe('')

    expect(await stop()).toBe(2)
    expect(err()).toEqual(message)
    expect(await readFile(file, 'utf8')).toBe(before)
    expect(await readdir(join(file, '..'))).toEqual(['state.json'])
  })

  test('is written to again when there is room', async () => {
    const file = join(await mountFolder('size=64k'), 'state.json')
    const { url } = await startServe('--state', file)
    const filler = join(file, '..', 'filler')
    await writeFile(filler, '-'.repeat(60_000)).catch(() => {})
    await writeFile(filler, '-'.repeat(10_000), { flag: 'a' }).catch(() => {})
    await patch(url, { quantity: 5 })
    expect((await post(url, '/state/save')).status).toBe(500)
    await writeFile(filler, '')
    expect((await post(url, '/state/save')).status).toBe(204)
    expect((await readState(file)).inventory.get(1)?.quantity).toBe(5)
  })
})

const readOnly = IS_ROOT
  ? (folder: string) => `mount -o remount,ro ${folder}`
  : (folder: string) => `chmod 555 ${folder}`

// Windows lets its folders be written to.
describe.skipIf(process.platform === 'win32' || (IS_ROOT && !CAN_MOUNT))('a folder that becomes read-only', () => {
  const makeOwnFolder = async (): Promise<string> => {
    if (IS_ROOT) return mountFolder('size=64k')
    const folder = await makeFolder()
    onTestFinished(() => chmod(folder, 0o755))
    return folder
  }
  const sentence = 'petstore-mock: Failed to save the state: '

  test('is told at the end of serve in a sentence, with exit code 2', async () => {
    const folder = await makeOwnFolder()
    const { stop, err } = await startServe('--state', join(folder, 'state.json'))
    execFileSync('sh', ['-c', readOnly(folder)])
    expect([await stop(), err()]).toEqual([2, expect.stringMatching(`^${sentence}.*(EROFS|EACCES)`)])
    expect(err().split('\n')).toHaveLength(1)
  })

  test.each([
    [3, 3],
    [0, 2],
  ])('under exec, a command that exits with %i ends with %i', async (own, expected) => {
    const folder = await makeOwnFolder()
    const command = `${readOnly(folder)}; exit ${own}`
    const { code, err } = await runCli('exec', '-q', '--state', join(folder, 's.json'), '--', 'sh', '-c', command)
    expect([code, err]).toEqual([expected, expect.stringContaining(sentence)])
  })
})

describe('a saved file', () => {
  async function save(file: string, quantity: number): Promise<void> {
    const mock = createMock()
    const stateFile = await openStateFile(file)
    await stateFile.load(mock)
    mock.inventory.set(1, { quantity })
    await stateFile.save()
    stateFile.close()
  }

  test('is where a link leads, and the link stays', async () => {
    const folder = await makeFolder()
    await mkdir(join(folder, 'links'))
    await symlink('../real.json', join(folder, 'links', 'one.json'))
    await symlink('one.json', join(folder, 'links', 'two.json'))
    for (const quantity of [5, 6]) {
      await save(join(folder, 'links', 'two.json'), quantity)
      expect((await readState(join(folder, 'real.json'))).inventory.get(1)?.quantity).toBe(quantity)
    }
    expect((await lstat(join(folder, 'real.json'))).isSymbolicLink()).toBe(false)
    expect(await readlink(join(folder, 'links', 'two.json'))).toBe('one.json')
    expect((await readdir(join(folder, 'links'))).sort()).toEqual(['one.json', 'two.json'])
  })

  test.skipIf(process.platform === 'win32' /* it has no such modes */)(
    'keeps its mode, and a new one has the usual',
    async () => {
      const folder = await makeFolder()
      const file = join(folder, 'state.json')
      await save(file, 5)
      expect((await stat(file)).mode & 0o777).toBe(0o666 & ~process.umask())
      for (const mode of [0o600, 0o664]) {
        await chmod(file, mode)
        await save(file, mode)
        expect((await stat(file)).mode & 0o777).toBe(mode)
      }
    },
  )

  test.skipIf(!IS_ROOT /* only root may give a file away */)('keeps its owner', async () => {
    const file = join(await makeFolder(), 'state.json')
    await save(file, 5)
    await chown(file, 65_534, 65_533)
    await save(file, 6)
    const { uid, gid } = await stat(file)
    expect([uid, gid]).toEqual([65_534, 65_533])
  })

  test('is not written through a link in the place of its temporary file', async () => {
    const folder = await makeFolder()
    const file = join(folder, 'state.json')
    await writeFile(join(folder, 'other.json'), 'mine')
    await symlink('other.json', `${file}.tmp`)
    await save(file, 5)
    expect(await readFile(join(folder, 'other.json'), 'utf8')).toBe('mine')
    expect((await lstat(file)).isFile()).toBe(true)
  })

  test('leaves a folder in the place of its temporary file alone, and says so', async () => {
    const file = join(await makeFolder(), 'state.json')
    await mkdir(`${file}.tmp`)
    await writeFile(join(`${file}.tmp`, 'mine'), '')
    await expect(save(file, 5)).rejects.toThrow(expect.objectContaining({ code: 'STATE_SAVE' }))
    expect(await readdir(`${file}.tmp`)).toEqual(['mine'])
  })

  test('has nothing of killed saves beside it after the next save', async () => {
    const folder = await makeFolder()
    const file = join(folder, 'state.json')
    for (const name of ['state.json.tmp', 'other.json.tmp']) await writeFile(join(folder, name), '')
    await save(file, 5)
    expect((await readdir(folder)).sort()).toEqual(['other.json.tmp', 'state.json'])
  })
})
