import { cp, mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { OLDEST } from '../../tools/find-node.js'
import { makeFolder } from '../cli/state-folder.ts'
import { runProgram } from '../run-program.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** A checkout that has the tools and no packages. */
let checkout: string
beforeEach(async () => {
  checkout = await realpath(await makeFolder())
  await cp(join(ROOT, 'tools'), join(checkout, 'tools'), {
    recursive: true,
    filter: (path) => !path.includes('_modules'),
  })
  await write('package.json', '{"type":"module"}')
})

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(checkout, path)), { recursive: true })
  await writeFile(join(checkout, path), text)
}

interface Machine {
  readonly nodeVersion?: string
  /** What the machine's npm does: a script. */
  readonly npm?: string
}

/** Runs a script of the tools on a machine with another Node or npm. */
async function run(script: string, args: readonly string[], { nodeVersion, npm = '' }: Machine = {}) {
  await write('npm-cli.js', npm)
  const preload = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${nodeVersion ?? process.versions.node}' } })`
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`]
  const env = { npm_execpath: join(checkout, 'npm-cli.js') }
  return runProgram(process.execPath, [...flags, join(checkout, 'tools', script), ...args], { env })
}

describe('npm start', () => {
  test('without the packages says how to get them', async () => {
    expect(await run('start.js', ['serve'])).toMatchObject({
      exitCode: 1,
      stderr: 'The packages are not installed. Run: npm ci\n',
    })
  })

  test('on a Node that is too old, without network, says in one sentence what to do', async () => {
    await mkdir(join(checkout, 'node_modules'))
    const npm = 'console.error("npm error code ENOTFOUND\\nnpm error syscall getaddrinfo"); process.exit(1)'
    const { exitCode, stderr } = await run('start.js', ['serve'], { nodeVersion: '20.20.2', npm })
    expect(stderr).toMatch(
      /^Downloading Node [\d.]+, because this machine has 20\.20\.2…\nThis needs Node 22\.12\.0 or newer, but this is Node 20\.20\.2, and fetching Node [\d.]+ failed \(npm: ENOTFOUND\)\. Install it: https:\/\/nodejs\.org\n$/,
    )
    expect(exitCode).toBe(1)
  })

  test('asks for the oldest Node that engines in package.json allows', async () => {
    const { engines } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } }
    expect(`${engines.node}.0`).toBe(`>=${OLDEST.start}`)
  })
})

describe('a tool of development', () => {
  const npm = `
    import { mkdirSync } from 'node:fs'
    console.log('npm', ...process.argv.slice(2))
    mkdirSync('node_modules/vitest', { recursive: true })`

  beforeEach(() => write('tool.ts', 'console.log("tool", ...process.argv.slice(2)); process.exitCode = 3'))

  test('is run after npm has installed packages that are missing', async () => {
    const tool = join(checkout, 'tool.ts')
    expect(await run('dev.js', [tool, 'a b'], { npm })).toMatchObject({
      exitCode: 3,
      stdout: 'npm ci --include=dev\ntool a b\n',
      stderr: 'Installing the development packages…\n',
    })
    expect(await run('dev.js', [tool, 'again'], { npm })).toMatchObject({ exitCode: 3, output: 'tool again\n' })
  })

  test('is not run where npm cannot install them', async () => {
    const { exitCode, stdout } = await run('dev.js', [join(checkout, 'tool.ts')], { npm: 'process.exit(7)' })
    expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: '' })
  })
})
