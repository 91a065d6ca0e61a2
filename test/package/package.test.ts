import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const ENTRIES = ['', '/node', '/server', '/browser', '/client', '/vitest', '/playwright']
const run = promisify(execFile)

interface PackedFile {
  readonly path: string
  readonly size: number
}

interface Manifest extends Readonly<Record<'dependencies' | 'peerDependencies', Readonly<Record<string, string>>>> {
  readonly exports: Readonly<Record<string, string | { readonly types?: string }>>
}

/** A project that has installed the packed package; what comes from elsewhere is linked, since no test goes out. */
let project: string
let files: readonly PackedFile[]
beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT })
  files = readPackedFiles(stdout)
  project = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  const installed = join(project, 'node_modules/petstore-mock')
  for (const { path } of files) await cp(join(ROOT, path), join(installed, path))
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >
  for (const name of [
    ...Object.keys(manifest['dependencies'] ?? {}),
    'msw',
    'vitest',
    '@playwright/test',
    'playwright',
    'playwright-core',
    '@types/node',
  ]) {
    await mkdir(join(project, 'node_modules', name, '..'), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
  }
  await writeFile(join(project, 'package.json'), '{"type":"module"}')
  return () => rm(project, { recursive: true })
})

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

  test('declares types that need no package but its dependencies and peers', async () => {
    const { exports, dependencies, peerDependencies } = JSON.parse(
      await readFile(join(ROOT, 'package.json'), 'utf8'),
    ) as Manifest
    const types = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : [entry.types ?? '']))
    const seen = new Set(types.map((file) => join(ROOT, file)))
    const packages = new Set<string>()
    for (const file of seen) {
      // Examples in comments import the user's own files.
      const text = (await readFile(file, 'utf8')).replaceAll(/\/\*[\s\S]*?\*\//g, '')
      for (const [, specifier = ''] of text.matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)) {
        if (specifier.startsWith('.')) seen.add(join(file, '..', specifier.replace(/\.[jt]s$/, '.d.ts')))
        else if (!specifier.startsWith('node:'))
          packages.add(
            specifier
              .split('/')
              .slice(0, specifier.startsWith('@') ? 2 : 1)
              .join('/'),
          )
      }
    }
    const known = Object.keys({ ...dependencies, ...peerDependencies })
    expect(seen.size).toBeGreaterThan(30)
    expect([...packages].filter((name) => !known.includes(name))).toEqual([])
  })

  test('is in order by publint', async () => {
    const { messages } = await publint({ pkgDir: ROOT, pack: false, strict: true })
    expect(messages).toEqual([])
  })

  test.each(ENTRIES.filter((entry) => entry !== '/vitest'))('petstore-mock%s can be imported', async (entry) => {
    const { stdout } = await node(`console.log(Object.keys(await import('petstore-mock${entry}')).join())`)
    expect(stdout).toMatch(/createMock|interceptRequests|serve|startWorker|connectMock|routeRequests/)
  })

  test.each(ENTRIES)('petstore-mock%s says in one sentence that Node is too old', async (entry) => {
    // Node 20 lacks this function. https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects/Map/groupBy
    const code = `
      delete Map.groupBy
      Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })
      await import('petstore-mock${entry}').catch(({ code, message }) => console.log(code, message))`
    expect((await node(code)).stdout).toMatch(/^OLD_NODE .* needs Node 22\.12 or newer, but this is Node 20\.20\.2\./)
  })

  test('brings no second msw, and none of what @mswjs/data needs elsewhere', async () => {
    const code = `
      import { registerHooks } from 'node:module'
      const seen = []
      registerHooks({ resolve: (specifier, context, next) => (seen.push(specifier), next(specifier, context)) })
      await import('petstore-mock/server')
      console.log(seen.join())`
    const { stdout } = await node(code)
    expect(stdout).not.toMatch(/graphql|lodash|date-fns|@mswjs\/data|(^|,)msw/)
  })

  test('answers, with state, keys and exact ids', async () => {
    const code = `
      import { createMock } from 'petstore-mock'
      import { serve } from 'petstore-mock/server'
      const server = await serve(createMock({ fixture: 'int64-edges' }))
      const headers = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }
      const url = server.url + '/v1/inventory/9223372036854775807'
      console.log(await (await fetch(url, { method: 'PATCH', headers, body: '{"quantity":5}' })).text())
      await server.close()`
    expect((await node(code)).stdout.trim()).toBe('{"petId":9223372036854775807,"quantity":5,"status":"sold"}')
  })

  test('serves its console', async () => {
    const code = `
      import { createMock } from 'petstore-mock'
      import { serve } from 'petstore-mock/server'
      const server = await serve(createMock())
      for (const file of ['', 'console.js', 'console.css', 'icon.svg']) {
        const { status, headers } = await fetch(server.consoleUrl + file)
        console.log(status, Number(headers.get('content-length')) > 100)
      }
      await server.close()`
    expect((await node(code)).stdout.trim().split('\n')).toEqual(Array(4).fill('200 true'))
  })

  test('serves its demo', async () => {
    const bin = join(project, 'node_modules/petstore-mock/dist/bin.js')
    const child = spawn(process.execPath, [bin, 'demo', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    const url = line.split(' ').at(-1) ?? ''
    const page = await (await fetch(url)).text()
    const addresses = Array.from(page.matchAll(/(?:src|href)="([^"]*)"/g), ([, address = '']) => address)
    for (const address of ['worker.js', ...addresses]) expect((await fetch(url + address)).status).toBe(200)
  })

  test('its program runs', async () => {
    const bin = join(project, 'node_modules/petstore-mock/dist/bin.js')
    expect((await run(process.execPath, [bin, '--version'])).stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/)
    await expect(run(process.execPath, [bin, '--prot'])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Unknown flag --prot'),
    })
  })

  test('its types serve a strict project', async () => {
    const imports = ENTRIES.map((entry, index) => `import * as entry${index} from 'petstore-mock${entry}'`)
    const use = `
      const mock: entry0.Mock = entry0.createMock({ fixture: 'empty', quantity: { min: 0 } })
      const item: entry0.InventoryItem | undefined = mock.inventory.get(1n)
      const path: keyof entry0.paths = '/inventory/{petId}'
      export const all = [entry1.interceptRequests, entry2.serve, entry3.startWorker, entry4.connectMock, entry5.test, entry6.test, item, path]
      // @ts-expect-error an unknown option is refused
      entry0.createMock({ fixtures: 'empty' })`
    await writeFile(join(project, 'consumer.ts'), `${imports.join('\n')}\n${use}\n`)
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      module: 'NodeNext',
      target: 'ES2024',
      lib: ['ESNext', 'DOM'],
      types: ['node'],
      skipLibCheck: true,
      preserveSymlinks: true,
    }
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    await expect(
      run(process.execPath, [tsc, '-p', project]).catch((error: { stdout: string }) => error.stdout),
    ).resolves.toMatchObject({ stdout: '' })
  })
})

function toSize(some: readonly PackedFile[] = []): number {
  return some.reduce((sum, { size }) => sum + size, 0)
}

function node(code: string): Promise<{ stdout: string }> {
  return run(process.execPath, ['--input-type=module', '--eval', code], { cwd: project })
}

/** npm 12 names the package above the list that npm 11 gives. */
function readPackedFiles(json: string): readonly PackedFile[] {
  const parsed = JSON.parse(json) as { files: PackedFile[] }[] | Record<string, { files: PackedFile[] }>
  return Object.values(parsed)[0]?.files ?? []
}
