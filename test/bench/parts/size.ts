import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import type { BenchContext } from '../context.ts'
import { ROOT, resolveFromRoot } from '../root.ts'
import { compareRow, countRow, type Row, skipRow, toBeAtMost, toStayBelow } from '../rows.ts'

/** What a page loads and a disk holds. */
export async function measureSize(context: BenchContext): Promise<Row[]> {
  return [...(await measureBundle()), ...(await measureInstall(context))]
}

const FIRST_REQUEST = "await fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })"

const PAGES = {
  worker: `import { createMock } from 'petstore-mock'
    import { startWorker } from 'petstore-mock/browser'
    await startWorker(createMock())
    ${FIRST_REQUEST}`,
  page: `import { createMock } from 'petstore-mock'
    import { startWorker } from 'petstore-mock/browser'
    await startWorker(createMock(), { mode: 'page' })
    ${FIRST_REQUEST}`,
  msw: `import { HttpResponse, http } from 'msw'
    import { setupWorker } from 'msw/browser'
    await setupWorker(http.get('/v1/inventory', () => HttpResponse.json([]))).start()
    ${FIRST_REQUEST}`,
} as const

/** The modules that a page imports when it is first answered. */
const IMPORTED = { worker: 'answer-in-worker', page: 'answer-in-page', msw: undefined } as const

/** What a page really loads until its first response, built and minified by Vite, all chunks gzipped, msw included. */
async function measureBundle(): Promise<Row[]> {
  const kilobytes = async (name: keyof typeof PAGES): Promise<number> => (await sumPage(name)) / 1024
  const [worker, page, msw] = [await kilobytes('worker'), await kilobytes('page'), await kilobytes('msw')]
  const title = { id: 13, unit: 'KB' }
  return [
    compareRow(
      { ...title, what: 'a page in worker mode', against: "msw's hello world", aim: toBeAtMost(1.2) },
      { ours: [worker], against: [msw] },
    ),
    countRow({ ...title, what: "a page in `mode: 'page'`", aim: toStayBelow(40, { unit: 'KB' }) }, page),
  ]
}

async function sumPage(name: keyof typeof PAGES): Promise<number> {
  const dist = fileURLToPath(new URL('dist/', ROOT))
  // As if it lay at the top of the repository, whose packages it imports.
  const input = fileURLToPath(new URL(`bench-${name}.js`, ROOT))
  const built = (await build({
    root: fileURLToPath(ROOT),
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === input ? id : null),
        load: (id) => (id === input ? PAGES[name] : null),
      },
    ],
    resolve: {
      alias: [
        { find: /^petstore-mock$/, replacement: `${dist}index.js` },
        { find: 'petstore-mock/browser', replacement: `${dist}browser.js` },
      ],
    },
    build: { write: false, minify: true, target: 'es2022', rolldownOptions: { input } },
  })) as Rolldown.RolldownOutput
  const chunks = built.output.filter((file) => file.type === 'chunk')
  const loaded = new Set(chunks.filter((chunk) => chunk.isEntry || isNamed(chunk.name, IMPORTED[name])))
  for (const { imports } of loaded) for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk)
  return Array.from(loaded, ({ code }) => gzipSync(code, { level: 9 }).byteLength).reduce(
    (sum, bytes) => sum + bytes,
    0,
  )
}

/** What our own build calls a chunk ends with a hash. */
function isNamed(name: string, wanted: string | undefined): boolean {
  return wanted !== undefined && name.startsWith(wanted)
}

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund']

interface Installed {
  readonly bytes: number
  readonly packages: number
}

/** What an installation of the packed package puts on a disk, all of it. It asks the registry. */
async function measureInstall(context: BenchContext): Promise<Row[]> {
  context.say('  npm install of the packed package')
  const version = readVersion('msw')
  try {
    const tarball = await pack(context)
    const without = await install(context, 'without-msw', [tarball])
    const withMsw = await install(context, 'with-msw', [tarball, `msw@${version}`])
    const what = 'npm i of the packed package'
    return [
      countRow({ id: 14, what, unit: 'MB', aim: toStayBelow(6, { unit: 'MB' }) }, without.bytes / 1024 ** 2),
      countRow({ id: 14, what, unit: 'packages', aim: toStayBelow(12, { unit: 'packages' }) }, without.packages),
      countRow(
        { id: 14, what: `${what} with msw`, unit: 'MB', aim: toStayBelow(22, { unit: 'MB' }) },
        withMsw.bytes / 1024 ** 2,
      ),
    ]
  } catch (error) {
    context.say((error as Error).message)
    return [skipRow(14, 'npm i of the packed package', 'npm failed')]
  }
}

function readVersion(name: string): string {
  return (JSON.parse(readFileSync(resolveFromRoot(`${name}/package.json`), 'utf8')) as { version: string }).version
}

async function pack({ processes, folder }: BenchContext): Promise<string> {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  const output = await processes.run('npm', args, { folder: fileURLToPath(ROOT) })
  return join(folder, output.trim())
}

async function install({ processes, folder }: BenchContext, name: string, packages: string[]): Promise<Installed> {
  const project = join(folder, name)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"private":true}')
  await processes.run('npm', ['install', ...QUIET, ...packages], { folder: project })
  const lock = readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8')
  const installed = (JSON.parse(lock) as { packages: object }).packages
  return { bytes: sumSizes(join(project, 'node_modules')), packages: Object.keys(installed).length }
}

function sumSizes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
