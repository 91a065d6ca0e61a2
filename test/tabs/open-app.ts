import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createServer, type Plugin } from 'vite'

const ROOT = resolve(import.meta.dirname, '../..')
const LINKED = ['@mswjs/interceptors', '@vitejs/plugin-react', 'axios', 'msw', 'react', 'react-dom', 'vite']
const run = promisify(execFile)

/** A project of its own that has installed the built package, and its dev server. */
export interface App extends AsyncDisposable {
  readonly url: string
  /** The requests for the service, and all updates, that came to the server. */
  readonly leaked: readonly string[]
  /** Resolves when the server has seen it. */
  edit(file: string, change: Change): Promise<void>
  read(file: string): Promise<string>
  /** Builds it for production into `dist`; gives the names of the files of its scripts. */
  build(): Promise<string[]>
}

export type Change = (text: string) => string

/**
 * @param name Of a project in `test/apps`. What comes from elsewhere is linked, since no test goes out.
 * @param edits What is changed in its files before the server sees them.
 */
export async function openApp(name: string, edits: Readonly<Record<string, Change>> = {}): Promise<App> {
  const project = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  const modules = join(project, 'node_modules')
  const installed = join(modules, 'petstore-mock')
  await cp(join(ROOT, 'test/apps', name), project, { recursive: true })
  const read = (file: string): Promise<string> => readFile(join(project, file), 'utf8')
  // At once: between emptying a file and filling it, Vite would read the empty one, and its watcher drops the second change.
  const write = (file: string, text: string): void => writeFileSync(join(project, file), text)
  for (const [file, change] of Object.entries(edits)) write(file, change(await read(file)))
  for (const file of ['dist', 'package.json']) await cp(join(ROOT, file), join(installed, file), { recursive: true })
  for (const linked of LINKED) {
    await mkdir(join(modules, linked, '..'), { recursive: true })
    await symlink(join(ROOT, 'node_modules', linked), join(modules, linked), 'junction')
  }
  await cp(new URL(import.meta.resolve('msw/mockServiceWorker.js')), join(project, 'public/mockServiceWorker.js'))
  const leaked: string[] = []
  const countLeaks: Plugin = {
    name: 'count-leaks',
    configureServer: ({ middlewares }) =>
      void middlewares.use(({ method, url = '' }, _, next) => {
        if (method !== 'GET' || url.startsWith('/v1/')) leaked.push(`${method} ${url}`)
        next()
      }),
  }
  const server = await createServer({
    root: project,
    logLevel: 'error',
    plugins: [countLeaks],
    server: { port: 0, host: 'localhost', fs: { strict: false } },
  })
  await server.listen()
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    leaked,
    async edit(file, change) {
      const text = change(await read(file))
      const { promise: seen, resolve } = Promise.withResolvers<boolean>()
      const listen = (path: string): unknown => path.endsWith(join(file)) && resolve(true)
      server.watcher.on('change', listen)
      // Written again until then, because the watcher drops a change that follows another one within 50 ms.
      do write(file, text)
      while (!(await Promise.race([seen, setTimeout(200)])))
      server.watcher.off('change', listen)
    },
    read,
    async build() {
      // In a process of its own, since a test runner's NODE_ENV is not that of production.
      const { NODE_ENV: _, ...env } = process.env
      await run(process.execPath, [join(modules, 'vite/bin/vite.js'), 'build'], { cwd: project, env })
      return readdir(join(project, 'dist/assets'))
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      await rm(project, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
