import { chmod, chown, lstat, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { UsageError } from '../../src/cli/command.ts'
import { openStateFile } from '../../src/cli/serve/state-file.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { IS_ROOT, makeFolder, readQuantity } from './state-folder.ts'

const isWindows = process.platform === 'win32'

async function openFor(mock: Mock, file: string) {
  const stateFile = await openStateFile(file)
  onTestFinished(() => stateFile.close())
  await stateFile.load(mock)
  return stateFile
}

async function save(file: string, quantity: number): Promise<void> {
  const mock = createMock()
  const stateFile = await openFor(mock, file)
  mock.inventory.set(1, { quantity })
  await stateFile.save().finally(() => stateFile.close())
}

describe('a path where no file can be written is refused before the start:', () => {
  async function expectRefused(file: string, reason: string): Promise<void> {
    const message = expect.stringContaining(`--state: ${file} cannot be written (${reason}`)
    await expect(openStateFile(file)).rejects.toThrow(expect.objectContaining({ name: 'UsageError', message }))
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

  test.skipIf(isWindows /* it has no such devices */)('a device', async () => {
    await expectRefused('/dev/null', 'it is not a regular file')
  })

  test.skipIf(IS_ROOT)('a folder or a file without the permission to write (needs not to be root)', async () => {
    const folder = await makeFolder()
    const file = join(folder, 'state.json')
    await writeFile(file, '', { mode: 0o444 })
    await expectRefused(file, 'EACCES: ')
    await chmod(folder, 0o555)
    await expectRefused(join(folder, 'new.json'), 'EACCES: ')
    await chmod(folder, 0o755)
  })
})

describe('a save', () => {
  test('that comes while another runs waits for one more, and one that finds nothing changed leaves the file alone', async () => {
    const file = join(await makeFolder(), 'at-once.json')
    const mock = createMock()
    const stateFile = await openFor(mock, file)
    const save = async (quantity: number): Promise<number | undefined> => {
      mock.inventory.set(1, { quantity })
      await stateFile.save()
      return readQuantity(file)
    }
    expect((await Promise.all([save(1), save(2), save(3)])).at(-1)).toBe(3)

    const { mtimeMs } = await stat(file)
    await stateFile.save()
    expect((await stat(file)).mtimeMs).toBe(mtimeMs)
    expect(await save(4)).toBe(4)
  })

  test('puts back a file that somebody has removed, also with its folder', async () => {
    const folder = join(await makeFolder(), 'states')
    await mkdir(folder)
    const file = join(folder, 'state.json')
    const mock = createMock()
    const stateFile = await openFor(mock, file)
    mock.inventory.set(1, { quantity: 5 })
    for (const removed of [file, folder]) {
      await stateFile.save()
      await rm(removed, { recursive: true })
      await stateFile.save()
      expect(await readQuantity(file)).toBe(5)
    }
  })

  test('holds one moment: all that was answered before, and nothing that changed meanwhile', async () => {
    const file = join(await makeFolder(), 'moment.json')
    const mock = createMock()
    const stateFile = await openFor(mock, file)
    mock.sandbox('a').inventory.set(1, { quantity: 5 })
    const expected = mock.exportState()
    let isDone = false
    const saved = stateFile.save().finally(() => (isDone = true))
    const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
    await nextTurn()
    for (let turn = 1; !isDone; turn += 1) {
      mock.sandbox('a').inventory.set(1, { quantity: 100 + turn })
      await nextTurn()
    }
    await saved
    expect(await readFile(file, 'utf8')).toBe(expected)
    await stateFile.save()
    expect(await readFile(file, 'utf8')).toBe(mock.exportState())
    expect(mock.exportState()).not.toBe(expected)
  })
})

describe('a saved file', () => {
  test('is where a link leads, and the link stays', async () => {
    const folder = await makeFolder()
    await mkdir(join(folder, 'links'))
    await symlink('../real.json', join(folder, 'links', 'one.json'))
    await symlink('one.json', join(folder, 'links', 'two.json'))
    for (const quantity of [5, 6]) {
      await save(join(folder, 'links', 'two.json'), quantity)
      expect(await readQuantity(join(folder, 'real.json'))).toBe(quantity)
    }
    expect((await lstat(join(folder, 'real.json'))).isSymbolicLink()).toBe(false)
    expect(await readlink(join(folder, 'links', 'two.json'))).toBe('one.json')
    expect((await readdir(join(folder, 'links'))).sort()).toEqual(['one.json', 'two.json'])
  })

  test.skipIf(isWindows /* it has no such modes */)('keeps its mode, and a new one has the usual', async () => {
    const file = join(await makeFolder(), 'state.json')
    await save(file, 5)
    expect((await stat(file)).mode & 0o777).toBe(0o666 & ~process.umask())
    for (const mode of [0o600, 0o664]) {
      await chmod(file, mode)
      await save(file, mode)
      expect((await stat(file)).mode & 0o777).toBe(mode)
    }
  })

  test.skipIf(!IS_ROOT)('keeps its owner (needs root)', async () => {
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

  test('has nothing of killed saves beside it after the next save', async () => {
    const folder = await makeFolder()
    for (const name of ['state.json.tmp', 'other.json.tmp']) await writeFile(join(folder, name), '')
    await save(join(folder, 'state.json'), 5)
    expect((await readdir(folder)).sort()).toEqual(['other.json.tmp', 'state.json'])
  })
})

describe('a state file that is open', () => {
  test('is refused to others, also by another path, until it is closed', async () => {
    const folder = await makeFolder()
    const file = join(folder, 'state.json')
    const link = join(folder, 'link.json')
    await symlink('state.json', link)
    const stateFile = await openStateFile(file)
    for (const path of [file, link])
      await expect(openStateFile(path)).rejects.toThrow(`in use by process ${process.pid}.`)
    const other = await openStateFile(join(folder, 'other.json'))
    other.close()
    stateFile.close()
    const next = await openStateFile(link)
    next.close()
  })

  test('is that of one of several that start at once', async () => {
    const file = join(await makeFolder(), 'state.json')
    const starts = await Promise.allSettled(Array.from({ length: 8 }, () => openStateFile(file)))
    const losers = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason as unknown] : []))
    expect(losers).toHaveLength(7)
    expect(losers.every((reason) => reason instanceof UsageError)).toBe(true)
    for (const start of starts) if (start.status === 'fulfilled') start.value.close()
  })
})
