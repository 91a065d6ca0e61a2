import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const ROOT = resolve(import.meta.dirname, '../..')
/** The entries of the package, each with something that it exports. */
const ENTRIES: Readonly<Record<string, string>> = {
  '': 'createMock',
  '/node': 'interceptRequests',
  '/server': 'serve',
  '/browser': 'startWorker',
  '/client': 'connectMock',
  '/msw': 'createHandlers',
  '/matchers': 'matchers',
  '/vitest': 'defineTest',
  '/playwright': 'routeRequests',
}
const run = promisify(execFile)

interface PackedFile {
  readonly path: string
  readonly size: number
}

/** Projects that have installed the packed package, with its peers and without; others are linked, since no test goes out. */
let project: string
let bareProject: string
let files: readonly PackedFile[]
beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT })
  files = readPackedFiles(stdout)
  const dependencies = Object.keys(manifest.dependencies)
  bareProject = await makeProject(dependencies)
  const peers = ['msw', 'vitest', '@playwright/test', 'playwright', 'playwright-core', '@types/node']
  project = await makeProject([...dependencies, ...peers])
  return () => Promise.all([project, bareProject].map((folder) => rm(folder, { recursive: true })))
})

async function makeProject(packages: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  const modules = join(folder, 'node_modules')
  for (const { path } of files) await cp(join(ROOT, path), join(modules, 'petstore-mock', path))
  for (const name of packages) {
    await mkdir(join(modules, name, '..'), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), join(modules, name), 'junction')
  }
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  return folder
}

describe('the packed package', () => {
  test('holds what users need and nothing else', () => {
    const outside = files.map(({ path }) => path).filter((path) => !/^(dist|docs|fixtures)\//.test(path))
    expect(outside.sort()).toEqual([
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'package.json',
      'spec/config.schema.json',
      'spec/control.openapi.yaml',
      'spec/names.schema.json',
      'spec/openapi-3.0.yaml',
      'spec/openapi.yaml',
      'spec/profile.schema.json',
      'spec/stubs.schema.json',
    ])
    const [demo, rest] = [true, false].map((isDemo) =>
      files.filter(({ path }) => path.startsWith('dist/demo/') === isDemo),
    )
    // A tenth of it reads YAML; 190 KB are the pages of the docs, half of them the reference, 50 KB the OpenAPI documents.
    // valibot is 19 KB of it, the licences of bundled packages are 23 KB; profiles and their checks took 60 KB, sentences
    // about mistakes 20 KB, and the pictures of the docs 220 KB.
    expect(toSize(rest)).toBeLessThan(2_100_000)
    // msw is in it, and with it the list of all public suffixes of the world.
    expect(toSize(demo)).toBeLessThan(800_000)
  })

  test('has every file that its pages link to', async () => {
    const packed = new Set(files.map(({ path }) => path))
    const missing: string[] = []
    for (const page of [...packed].filter((path) => path.endsWith('.md'))) {
      const text = await readFile(join(ROOT, page), 'utf8')
      for (const [, link, source] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)|(?:src|srcset)="([^"]+)"/g)) {
        const target = posix.join(posix.dirname(page), link ?? source ?? '')
        if (!/^https?:/.test(link ?? source ?? '') && !packed.has(target)) missing.push(`${page}: ${target}`)
      }
    }
    expect(missing).toEqual([])
  })

  test('is in order by publint', async () => {
    const { messages } = await publint({ pkgDir: ROOT, pack: false, strict: true })
    expect(messages).toEqual([])
  })

  test('can be imported by each of its entries', async () => {
    // That of Vitest works in its tests alone.
    const names = Object.keys(ENTRIES).filter((entry) => entry !== '/vitest')
    const code = `for (const name of ${JSON.stringify(names)}) console.log(name, Object.keys(await import('petstore-mock' + name)).join())`
    const { stdout } = await node(code)
    for (const name of names) expect(stdout).toMatch(new RegExp(`^${name} .*\\b${ENTRIES[name]}\\b`, 'm'))
  })

  test('says in one sentence, at each of its entries, that Node is too old', async () => {
    // Node 20 lacks this function. https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects/Map/groupBy
    const code = `
      delete Map.groupBy
      Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })
      for (const name of ${JSON.stringify(Object.keys(ENTRIES))})
        await import('petstore-mock' + name).catch(({ code, message }) => console.log(name, code, message))`
    const sentence = 'OLD_NODE .* needs Node 22\\.12 or newer, but this is Node 20\\.20\\.2\\.'
    const { stdout } = await node(code)
    for (const name of Object.keys(ENTRIES)) expect(stdout).toMatch(new RegExp(`^${name} ${sentence}`, 'm'))
  })

  test.each([
    ['vitest', 'vitest'],
    ['playwright', '@playwright/test'],
  ])('petstore-mock/%s without %s fails as Node does, which names it', async (entry, peer) => {
    const code = `await import('petstore-mock/${entry}').catch(({ code, message }) => console.log(code, message))`
    expect((await node(code, bareProject)).stdout).toContain(`ERR_MODULE_NOT_FOUND Cannot find package '${peer}'`)
  })

  test('without msw, init says in one sentence what to install', async () => {
    const bin = join(bareProject, 'node_modules/petstore-mock/dist/bin.js')
    await expect(run(process.execPath, [bin, 'init', 'public'], { cwd: bareProject })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^petstore-mock: msw, .* is not installed: npm install --save-dev msw\n$/),
    })
  })

  test('brings no second msw, and none of what @mswjs/data needs elsewhere', async () => {
    const code = `
      import { registerHooks } from 'node:module'
      const seen = []
      registerHooks({ resolve: (specifier, context, next) => (seen.push(specifier), next(specifier, context)) })
      await import('petstore-mock/server')
      console.log(seen.join())`
    const { stdout } = await node(code)
    expect(stdout).toContain('petstore-mock/server,./chunks/')
    expect(stdout).not.toMatch(/graphql|lodash|date-fns|@mswjs\/data|(^|,)msw/)
  })

  test('answers, with state, keys and exact ids, and serves its console', async () => {
    const code = `
      import { createMock } from 'petstore-mock'
      import { serve } from 'petstore-mock/server'
      const server = await serve(createMock({ fixture: 'int64-edges' }))
      const headers = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }
      const url = server.url + '/v1/inventory/9223372036854775807'
      console.log(await (await fetch(url, { method: 'PATCH', headers, body: '{"quantity":5}' })).text())
      for (const file of ['', 'console.js', 'console.css', 'icon.svg']) {
        const response = await fetch(server.consoleUrl + file)
        console.log(response.status, (await response.text()).length > 100)
      }
      await server.close()`
    const [updated, ...ofConsole] = (await node(code)).stdout.trim().split('\n')
    expect(updated).toBe('{"petId":9223372036854775807,"quantity":5,"status":"sold"}')
    expect(ofConsole).toEqual(Array(4).fill('200 true'))
  })

  test('has a program, which runs and serves its demo', async () => {
    const bin = join(project, 'node_modules/petstore-mock/dist/bin.js')
    await expect(run(process.execPath, [bin, '--prot'])).rejects.toMatchObject({ code: 2 })
    const child = spawn(process.execPath, [bin, 'demo', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    expect(line).toMatch(/^petstore-mock \d+\.\d+\.\d+ serves the demo at /)
    const url = line.split(' ').at(-1) ?? ''
    const page = await (await fetch(url)).text()
    const addresses = Array.from(page.matchAll(/(?:src|href)="([^"]*)"/g), ([, address = '']) => address)
    for (const address of ['worker.js', ...addresses]) expect((await fetch(url + address)).status).toBe(200)
  })

  test('has types that serve a strict project and compile themselves, without skipLibCheck', async () => {
    const names = Object.keys(ENTRIES)
    const imports = names.map((name, index) => `import * as entry${index} from 'petstore-mock${name}'`)
    const uses = names.map((name, index) => `entry${index}.${ENTRIES[name]}`)
    const use = `
      const mock: entry0.Mock = entry0.createMock({ fixture: 'empty', quantity: { min: 0 } })
      const item: entry0.InventoryItem | undefined = mock.inventory.get(1n)
      const path: keyof entry0.paths = '/inventory/{petId}'
      export const all = [${uses}, item, path]
      // @ts-expect-error an unknown option is refused
      entry0.createMock({ fixtures: 'empty' })`
    await writeFile(join(project, 'consumer.ts'), `${imports.join('\n')}\n${use}\n`)
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      module: 'NodeNext',
      target: 'ES2024',
      types: ['node'],
      preserveSymlinks: true,
    }
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const compiled = run(process.execPath, [tsc, '-p', '.'], { cwd: project })
    const { stdout, stderr } = await compiled.catch((error: { stdout: string; stderr: string }) => error)
    // Only a compiler that did not run writes there.
    expect(stderr).toBe('')
    // Those of other packages are not ours to mend.
    expect(stdout.split('\n').filter((line) => /petstore-mock\/dist|consumer\.ts/.test(line))).toEqual([])
  })
})

function toSize(some: readonly PackedFile[] = []): number {
  return some.reduce((sum, { size }) => sum + size, 0)
}

function node(code: string, cwd = project): Promise<{ stdout: string }> {
  return run(process.execPath, ['--input-type=module', '--eval', code], { cwd })
}

/** npm 12 names the package above the list that npm 11 gives. */
function readPackedFiles(json: string): readonly PackedFile[] {
  const parsed = JSON.parse(json) as { files: PackedFile[] }[] | Record<string, { files: PackedFile[] }>
  return Object.values(parsed)[0]?.files ?? []
}
