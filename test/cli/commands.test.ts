import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { runCli, runCliIn } from './run-cli.ts'
import { makeSharedFolder } from './state-folder.ts'

const folder = await makeSharedFolder()

describe('petstore-mock record', () => {
  test('writes a fixture of what a service lists, ids exact, which gives the same list', async () => {
    await using server = await serve(createMock({ fixture: 'int64-edges' }))
    const file = join(folder, 'recorded.json')
    expect(await runCli('record', server.url, '-o', file)).toEqual({ code: 0, out: '', err: '' })
    const recorded = createMock({ fixture: await readFile(file, 'utf8') })
    expect(recorded.inventory.list()).toEqual(createMock({ fixture: 'int64-edges' }).inventory.list())
  })

  test('writes to standard output without --output', async () => {
    await using server = await serve(createMock({ fixture: 'empty' }))
    const { code, out } = await runCli('record', `${server.url}/v1/`)
    expect([code, JSON.parse(out)]).toEqual([0, { description: `Recorded from ${server.url}/v1`, inventory: [] }])
  })

  test('says why it cannot', async () => {
    const server = await serve(createMock())
    expect(await runCli('record', server.url, '-k', 'wrong')).toMatchObject({
      code: 2,
      err: expect.stringContaining('responded with 401 instead of 200. Pass a valid key with --api-key.'),
    })
    expect(await runCli('record', `${server.url}/v1/inventory`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('responded with 405 instead of 200. Pass the URL with its base path alone.'),
    })
    await server.close()
    expect(await runCli('record', server.url)).toMatchObject({
      code: 2,
      err: expect.stringContaining('cannot be reached'),
    })
    expect(await runCli('record', 'nope')).toMatchObject({
      code: 2,
      err: 'petstore-mock: nope is not an http URL.',
    })
  })
})

describe('petstore-mock fixture', () => {
  test('validate names the faults of every file, and exits with 2', async () => {
    const [good, bad] = [join(folder, 'good.json'), join(folder, 'bad.json')]
    await writeFile(good, '\uFEFF{"inventory":[]}')
    await writeFile(
      bad,
      '{"inventory":[{"petId":1,"quantity":1,"status":"sold"},{"petId":1,"quantity":1,"status":"sold"},{"petId":2,"quantity":"1","status":"sold"}]}',
    )
    expect(await runCli('fixture', 'validate', good)).toEqual({ code: 0, out: `${good}: ok, 0 pets`, err: '' })
    const { err, ...result } = await runCli('fixture', 'validate', good, bad, 'nope.json')
    expect(result).toEqual({ code: 2, out: `${good}: ok, 0 pets` })
    expect(err.split('\n').sort()).toEqual([
      expect.stringContaining('inventory[1].petId: 1 is already used by inventory[0]'),
      expect.stringContaining('inventory[2].quantity: '),
      expect.stringContaining('nope.json cannot be read'),
    ])
  })

  test('validate takes the names of shipped fixtures', async () => {
    expect(await runCli('fixture', 'validate', 'low-stock')).toEqual({
      code: 0,
      out: 'low-stock: ok, 10 pets',
      err: '',
    })
  })

  test('generate makes a fixture that validates', async () => {
    const file = join(folder, 'generated.json')
    expect((await runCli('fixture', 'generate', '--pets', '25', '--random-seed', '3', '-o', file)).code).toBe(0)
    expect(await runCli('fixture', 'validate', file)).toEqual({ code: 0, out: `${file}: ok, 25 pets`, err: '' })
    const { out } = await runCli('fixture', 'generate', '--pets', '25', '--random-seed', '3')
    expect(`${out}\n`).toBe(await readFile(file, 'utf8'))
  })
})

describe('petstore-mock init', () => {
  test('puts the worker script of the installed msw into a folder, made where it is not there', async () => {
    const dir = join(folder, 'site', 'public')
    const { code, out } = await runCli('init', dir)
    expect([code, out]).toEqual([0, expect.stringContaining('mockServiceWorker.js was copied into a new folder.')])
    expect((await runCli('init', dir)).out).toContain('mockServiceWorker.js is up to date.')
    const original = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js')
    expect(await readFile(join(dir, 'mockServiceWorker.js'), 'utf8')).toBe(await readFile(original, 'utf8'))
  })

  test('replaces a script of another msw, but no file of somebody else without --force', async () => {
    const dir = join(folder, 'pwa')
    const file = join(dir, 'mockServiceWorker.js')
    await runCli('init', dir)
    const script = await readFile(file, 'utf8')
    await writeFile(file, script.replace(/PACKAGE_VERSION = '.*?'/, "PACKAGE_VERSION = '2.0.0'"))
    expect(await runCli('init', dir)).toMatchObject({ code: 0, err: '' })
    expect(await readFile(file, 'utf8')).toBe(script)
    await writeFile(file, '// a worker of my own')
    expect(await runCli('init', dir)).toEqual({
      code: 2,
      out: '',
      err: `petstore-mock: ${file} already exists and is not msw's worker script. Pass --force to overwrite it.`,
    })
    expect(await readFile(file, 'utf8')).toBe('// a worker of my own')
    expect(await runCli('init', dir, '--force')).toMatchObject({ code: 0, err: '' })
    expect(await readFile(file, 'utf8')).toBe(script)
  })

  test.each([
    ['of the project', 'node_modules/msw'],
    ['that its petstore-mock finds', 'node_modules/petstore-mock/node_modules/msw'],
  ])('copies the script of the msw %s, over a newer one', async (_, place) => {
    const project = await mkdtemp(join(folder, 'project-'))
    const file = join(project, 'public/mockServiceWorker.js')
    await runCli('init', join(project, 'public'))
    const script = (await readFile(file, 'utf8')).replace(/PACKAGE_VERSION = '.*?'/, "PACKAGE_VERSION = '2.15.0'")
    await mkdir(join(project, place), { recursive: true })
    await writeFile(join(project, place, 'mockServiceWorker.js'), script)
    await writeFile(join(project, place, '../../package.json'), '{}')
    expect((await runCli('init', join(project, 'public'))).out).toContain('was copied')
    expect(await readFile(file, 'utf8')).toBe(script)
  })

  test('takes the folder, not the path of the script', async () => {
    const dir = join(folder, 'static')
    expect(await runCli('init', join(dir, 'mockServiceWorker.js'))).toEqual({
      code: 2,
      out: '',
      err: `petstore-mock: init takes the folder of the script: petstore-mock init ${dir}`,
    })
    expect(await runCli('init', dir)).toMatchObject({ code: 0 })
    expect((await runCli('init', 'mockServiceWorker.js/')).err).toContain('petstore-mock init .')
  })

  test('says where it cannot write', async () => {
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    expect(await runCli('init', file)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/a-file.* cannot be written/),
    })
  })
})

describe('--output', () => {
  test.each([
    ['fixture', ['fixture', 'generate', '--pets', '1']],
    ['record', ['record', 'http://127.0.0.1:1']],
  ])('%s replaces no file without --force, and says so before it starts', async (name, argv) => {
    const file = join(folder, `${name}-mine.json`)
    await writeFile(file, 'mine')
    expect(await runCli(...argv, '-o', file)).toEqual({
      code: 2,
      out: '',
      err: `petstore-mock: --output: ${file} already exists. Choose another file, or pass --force to overwrite it.`,
    })
    expect(await readFile(file, 'utf8')).toBe('mine')
  })

  test('--force replaces it, and an empty file is replaced without', async () => {
    const file = join(folder, 'empty.json')
    await writeFile(file, '')
    const generate = ['fixture', 'generate', '--pets', '1', '-o', file]
    expect((await runCli(...generate)).code).toBe(0)
    expect((await runCli(...generate)).code).toBe(2)
    expect((await runCli(...generate, '--force')).code).toBe(0)
  })
})

describe('--help', () => {
  test.each([
    '',
    'serve',
    'exec',
    'check',
    'record',
    'init',
    'fixture',
    'fixture validate',
    'fixture generate',
    'demo',
    'demo build',
    'completion',
  ])('%s has an example, whose flags it knows', async (command) => {
    const { code, out } = await runCli(...command.split(' ').filter((word) => word !== ''), '--help')
    const [help = '', examples = ''] = out.split('Examples:\n')
    expect([code, examples]).toEqual([0, expect.stringMatching(/^ {2}petstore-mock /)])
    // `fixture` itself lists commands, whose flags their own help shows.
    if (command === 'fixture') return
    const [own = ''] = examples.split(' -- ')
    const flags = own.match(/(?<= )--?[a-z][a-z-]*/g) ?? []
    expect(flags.filter((flag) => !help.includes(flag))).toEqual([])
  })
})

test('--help shows the commands and the flags, whatever the environment says', async () => {
  const { code, out } = await runCliIn({ PETSTORE_MOCK_PORT: 'x', PETSTORE_MOCK_PROT: '1' }, '--help')
  expect(code).toBe(0)
  for (const word of ['serve', 'check', 'record', 'fixture', 'init', 'demo', 'completion', '--port', '--fixture'])
    expect(out).toContain(word)
})

test('--version is the package’s', async () => {
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  expect(await runCli('--version')).toEqual({ code: 0, out: manifest.version, err: '' })
})
