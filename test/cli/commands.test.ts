import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeJunit } from '../../src/check/junit.ts'
import { COMMAND_NAMES } from '../../src/cli/main.ts'
import { VERSION } from '../../src/contract/version.ts'
import { runCli, runCliIn } from './run-cli.ts'
import { makeFiles, makeFolder } from './state-folder.ts'

const { folder, write } = await makeFiles()

describe('petstore-mock fixture', () => {
  test('validate names the faults of every file, and exits with 2', async () => {
    const good = await write('good.json', '\uFEFF{"inventory":[]}')
    const bad = await write('bad.json', '{"inventory":[{"petId":1,"quantity":1,"status":"sold"},{"petId":1},{}]}')
    const valid = await runCli('fixture', 'validate', good, 'low-stock')
    expect([valid.code, valid.err]).toEqual([0, ''])
    expect(valid.out.split('\n').sort()).toEqual([`${good}: ok, 0 pets`, 'low-stock: ok, 10 pets'])
    const { code, out, err } = await runCli('fixture', 'validate', good, bad, 'nope.json')
    expect([code, out]).toEqual([2, `${good}: ok, 0 pets`])
    for (const problem of [
      'bad.json: inventory[1].status: ',
      'bad.json: inventory[2].petId: ',
      'nope.json cannot be read',
    ])
      expect(err).toContain(problem)
  })

  test('generate makes a fixture that validates', async () => {
    const file = join(folder, 'generated.json')
    const generate = ['fixture', 'generate', '--pets', '25', '--random-seed', '3']
    expect(await runCli(...generate, '-o', file)).toEqual({ code: 0, out: '', err: '' })
    expect(await runCli('fixture', 'validate', file)).toEqual({ code: 0, out: `${file}: ok, 25 pets`, err: '' })
    expect(`${(await runCli(...generate)).out}\n`).toBe(await readFile(file, 'utf8'))
  })
})

describe('petstore-mock init', () => {
  const NAME = 'mockServiceWorker.js'
  const newer = (script: string): string => script.replace(/PACKAGE_VERSION = '.*?'/, "PACKAGE_VERSION = '2.15.0'")

  test('puts the worker script of the installed msw into a folder, made where it is not there', async () => {
    const dir = join(await makeFolder(), 'public')
    const file = join(dir, NAME)
    const { code, out } = await runCli('init', dir)
    expect([code, out]).toEqual([0, expect.stringContaining(`${NAME} was copied.`)])
    expect((await runCli('init', dir)).out).toContain(`${NAME} is up to date.`)
    const script = await readFile(createRequire(import.meta.url).resolve(`msw/${NAME}`), 'utf8')
    expect(await readFile(file, 'utf8')).toBe(script)

    await writeFile(file, newer(script))
    expect(await runCli('init', dir)).toMatchObject({ code: 0, err: '' })
    expect(await readFile(file, 'utf8')).toBe(script)

    await writeFile(file, '// a worker of my own')
    const sentence = `${file} already exists and is not msw's worker script. Pass --force to overwrite it.`
    expect(await runCli('init', dir)).toEqual({ code: 2, out: '', err: `petstore-mock: ${sentence}` })
    expect(await readFile(file, 'utf8')).toBe('// a worker of my own')
    expect(await runCli('init', dir, '--force')).toMatchObject({ code: 0, err: '' })
    expect(await readFile(file, 'utf8')).toBe(script)
  })

  test('takes a folder, not the path of the script', async () => {
    const err = 'petstore-mock: init takes the folder of the script: petstore-mock init static'
    expect(await runCli('init', `static/${NAME}`)).toEqual({ code: 2, out: '', err })
  })

  test('copies the script of the msw of the project, over a newer one', async () => {
    const project = await makeFolder()
    const dir = join(project, 'public')
    await runCli('init', dir)
    const script = newer(await readFile(join(dir, NAME), 'utf8'))
    const msw = join(project, 'node_modules/msw')
    await mkdir(msw, { recursive: true })
    await writeFile(join(msw, NAME), script)
    expect((await runCli('init', dir)).out).toContain('was copied')
    expect(await readFile(join(dir, NAME), 'utf8')).toBe(script)
  })

  test('takes a folder that it can write to', async () => {
    const { code, err } = await runCli('init', await write('a-file', ''))
    expect([code, err]).toEqual([2, expect.stringMatching(/a-file.* cannot be written/)])
  })
})

test.each([
  ['fixture', '--output', ['fixture', 'generate', '--pets', '1', '-o', 'FILE']],
  ['record', '--output', ['record', 'http://127.0.0.1:1', '-o', 'FILE']],
  ['check', '--reporter', ['check', '--reporter', 'junit=FILE']],
  ['mutate', '--reporter', ['mutate', '--reporter', 'json=FILE', '--', 'true']],
])('%s replaces no file by its %s without --force, and says so before it starts', async (name, flag, argv) => {
  const file = await write(`${name}.json`, '{"name":"my-package"}')
  const sentence = `${flag}: ${file} already exists. Choose another file, or pass --force to overwrite it.`
  const words = argv.map((word) => word.replace('FILE', file))
  expect(await runCli(...words)).toEqual({ code: 2, out: '', err: `petstore-mock: ${sentence}` })
  expect(await readFile(file, 'utf8')).toBe('{"name":"my-package"}')
})

test.each([
  ['check', ['http://127.0.0.1:1', '--profile', 'missing.json']],
  ['mutate', ['--accept', 'missing.txt', '--', 'true']],
])('%s removes its older report, so that a run that fails leaves none', async (name, argv) => {
  const suite = { command: name, subject: 'the mock', durationMs: 0, cases: [] }
  const file = await write(`${name}.xml`, `${writeJunit(suite)}\n`)
  const { code, err } = await runCli(name, '--reporter', `junit=${file}`, ...argv)
  expect([code, err]).toEqual([2, expect.stringContaining('missing.')])
  expect(existsSync(file)).toBe(false)
})

test('--output replaces a file with --force, and an empty one without', async () => {
  const generate = ['fixture', 'generate', '--pets', '1', '-o', await write('empty.json', '')]
  expect((await runCli(...generate)).code).toBe(0)
  expect((await runCli(...generate)).code).toBe(2)
  expect((await runCli(...generate, '--force')).code).toBe(0)
})

test.each(['', 'fixture', ...COMMAND_NAMES])(
  '--help of "%s" has an example, whose flags it knows, whatever the environment says',
  async (command) => {
    const words = command.split(' ').filter((word) => word !== '')
    const { code, out } = await runCliIn({ PETSTORE_MOCK_PORT: 'x', PETSTORE_MOCK_PROT: '1' }, ...words, '--help')
    const [help = '', examples = ''] = out.split('Examples:\n')
    expect([code, examples]).toEqual([0, expect.stringMatching(/^ {2}petstore-mock /)])
    // `fixture` itself lists commands, whose flags their own help shows.
    if (command === 'fixture') return
    const [own = ''] = examples.split(' -- ')
    const flags = own.match(/(?<= )--?[a-z][a-z-]*/g) ?? []
    expect(flags.filter((flag) => !help.includes(flag))).toEqual([])
  },
)

test('--help without a command shows the daily flags; that of serve shows all, and none as [string]', async () => {
  const [daily, all] = [(await runCli('--help')).out, (await runCli('serve', '--help')).out]
  expect(daily).toContain('--port')
  expect(daily).not.toContain('--tls-cert')
  expect(all).toContain('--tls-cert')
  expect(all).not.toContain('[string]')
})

test('--version is that of the package', async () => {
  expect(await runCli('--version')).toEqual({ code: 0, out: VERSION, err: '' })
})
