import { readFileSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { createServer } from 'vite'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadStubs } from '../../src/cli/serve/load-files.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { BIN } from '../cli/start-bin.ts'
import { makeSharedFolder } from '../cli/state-folder.ts'
import { findFreePort, hasProgram } from '../machine.ts'
import { type ProgramOutcome, type RunOptions, runProgram } from '../run-program.ts'

const HERE = import.meta.dirname
const ROOT = resolve(HERE, '../..')
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const isWindows = process.platform === 'win32'
const folder = await makeSharedFolder()
const makeFolder = (): Promise<string> => mkdtemp(join(folder, 'test-'))

// Clients in other languages: test/long/recipes.test.ts.
describe.concurrent('the set-up for', () => {
  test('Vitest works', async () => {
    const { exitCode, output } = await run(process.execPath, [VITEST, 'run', '--root', `${HERE}/vitest`])
    expect(exitCode, output).toBe(0)
    expect(output).toContain('1 passed')
  })

  test('Vitest beside a server works', async () => {
    const { exitCode, output } = await execWith([process.execPath, VITEST, 'run', '--root', `${HERE}/exec`])
    expect(exitCode, output).toBe(0)
    expect(output).toContain('2 passed')
  })

  test('Jest works', async () => {
    const { scripts } = JSON.parse(readFileSync(join(HERE, 'jest/manifest.json'), 'utf8'))
    const [, ...args] = scripts.test.split(' ')
    const flags = ['--rootDir', join(HERE, 'jest'), '--config', join(HERE, 'jest/jest.config.js'), '--runInBand']
    const { exitCode, output } = await run(process.execPath, [...args, ...flags], { cwd: ROOT })
    expect(exitCode, output).toBe(0)
    expect(output).toContain('1 passed')
  })

  test('Vite’s proxy works, also for control requests that write', async ({ onTestFinished }) => {
    const { server: settings } = (await import('./vite/vite.config.js')).default
    const mock = createMock()
    await using server = await serve(mock)
    const text = JSON.stringify(settings.proxy).replaceAll('http://127.0.0.1:4100', server.url)
    const vite = await createServer({
      configFile: false,
      root: join(HERE, 'vite'),
      logLevel: 'silent',
      server: { port: 0, host: '127.0.0.1', proxy: JSON.parse(text), ws: false },
    })
    onTestFinished(() => vite.close())
    await vite.listen()
    const { origin } = new URL(vite.resolvedUrls?.local[0] ?? '')
    const faulty = await fetch(`${origin}/_mock/faults`, {
      method: 'POST',
      body: '{"status":503}',
      headers: { origin },
    })
    expect(faulty.status).toBe(201)
    expect((await fetch(`${origin}/v1/inventory`)).status).toBe(503)
  })

  test('a build without the worker script works', async () => {
    const folder = await makeFolder()
    await cp(join(HERE, 'worker-script/manifest.json'), join(folder, 'package.json'))
    await cp(join(ROOT, 'test/apps/react/index.html'), join(folder, 'index.html'))
    await mkdir(join(folder, 'public'))
    for (const name of ['mockServiceWorker.js', 'icon.svg']) await writeFile(join(folder, 'public', name), '')
    await mkdir(join(folder, 'src'))
    await writeFile(join(folder, 'src/main.tsx'), '')
    const env = { PATH: [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter) }
    const { exitCode, output } = await run('npm', ['run', 'build'], { cwd: folder, env })
    expect(exitCode, output).toBe(0)
    expect((await readdir(join(folder, 'dist'))).sort()).toEqual(['assets', 'icon.svg', 'index.html'])
  })

  test('node:test works', async () => {
    const { exitCode, output } = await run(process.execPath, ['--test', `${HERE}/node-test/arrivals.test.mjs`])
    expect(exitCode, output).toBe(0)
    expect(output).toMatch(/pass 1/)
  })
})

// The runners of these services exist only there. A shell runs the lines, with npm and npx replaced.
describe.skipIf(isWindows).concurrent('the pipeline for', () => {
  test.each([
    ['GitHub Actions', 'github.yml'],
    ['GitLab CI', 'gitlab.yml'],
  ])('%s runs the tests against a server', async (_service, file) => {
    const lines = listScript(parse(readFileSync(join(HERE, 'ci', file), 'utf8')))
    expect(lines).toHaveLength(2)
    const bin = await makeFolder()
    const node = JSON.stringify(process.execPath)
    const check = `[ "$1" = ci ] || exec ${node} -e 'fetch(process.env.PETSTORE_MOCK_URL + "/inventory", { headers: { authorization: "Bearer " + process.env.PETSTORE_MOCK_API_KEY } }).then(({ status }) => console.log(status))'`
    await writeScript(join(bin, 'npm'), check)
    await writeScript(join(bin, 'npx'), `shift; exec ${node} ${JSON.stringify(BIN)} "$@"`)
    const env = { PATH: `${bin}${delimiter}${process.env['PATH']}` }
    let output = ''
    for (const line of lines) output += (await run('sh', ['-c', `set -e; ${line}`], { env })).output
    expect(output).toBe('200\n')
  })
})

// With a port that is free here in place of 4100.
test.skipIf(isWindows || !hasProgram('curl')).each([0, 3])(
  'one server serves several commands of a pipeline, which exits with %i like its tests (needs curl)',
  async (exit) => {
    const cwd = await makeFolder()
    const node = JSON.stringify(process.execPath)
    await mkdir(join(cwd, 'node_modules/.bin'), { recursive: true })
    await writeScript(join(cwd, 'node_modules/.bin/petstore-mock'), `exec ${node} ${JSON.stringify(BIN)} "$@"`)
    await writeScript(join(cwd, 'npm'), `echo "tests run $PETSTORE_MOCK_URL $PETSTORE_MOCK_API_KEY"; exit ${exit}`)
    const port = String(await findFreePort())
    const script = readFileSync(join(HERE, 'ci/background.sh'), 'utf8').replaceAll('4100', port)
    const env = { PATH: `${cwd}${delimiter}${process.env['PATH']}` }
    const { exitCode, output } = await run('sh', ['-c', script], { env, cwd })
    expect(exitCode, output).toBe(exit)
    expect(output).toMatch(/"version".*tests run/s)
    expect(output).toContain(`tests run http://127.0.0.1:${port}/v1 demo-key`)
  },
)

describe('the files for the server', () => {
  test.each(['stock.yaml', 'large-id.json'])('%s is a fixture with two pets', async (name) => {
    const { exitCode, output } = await run(process.execPath, [BIN, 'fixture', 'validate', join(HERE, name)])
    expect(exitCode, output).toBe(0)
    expect(output).toContain('2 pets')
  })

  test('stubs.yaml answers GET /pets/{petId} and POST /store/orders', async () => {
    const { stubs } = await loadStubs(join(HERE, 'stubs.yaml'), '/v1')
    const mock = createMock({ stubs })
    const headers = { authorization: `Bearer ${mock.apiKey}` }
    expect(await (await mock.fetch('/v1/pets/2', { headers })).json()).toEqual({ name: 'Rex' })
    expect(await (await mock.fetch('/v1/pets/7', { headers })).json()).toEqual({ name: 'Bella' })
    expect((await mock.fetch('/v1/store/orders', { method: 'POST', headers })).status).toBe(201)
  })

  test('handlers.mjs answers GET /pets/{petId}', async () => {
    const { default: createHandlers } = await import('./handlers.mjs')
    const mock = createMock({ handlers: createHandlers })
    const headers = { authorization: `Bearer ${mock.apiKey}` }
    const response = await mock.fetch('/v1/pets/2', { headers })
    expect(await response.json()).toEqual({ petId: 2, quantity: 3, status: 'available' })
    expect((await mock.fetch('/v1/pets/99', { headers })).status).toBe(404)
  })
})

test('a file of json-server becomes a fixture', async () => {
  const cwd = await makeFolder()
  const rows = [{ id: 1, quantity: 3, status: 'available', name: 'Rex' }]
  await writeFile(join(cwd, 'db.json'), JSON.stringify({ inventory: rows }))
  const { exitCode, output } = await run(process.execPath, [join(HERE, 'migration/to-fixture.mjs')], { cwd })
  expect(exitCode, output).toBe(0)
  const mock = createMock({ fixture: JSON.parse(output) })
  expect(mock.inventory.list()).toEqual([{ petId: 1, quantity: 3, status: 'available' }])
})

// Cypress downloads its program from a server of its own, so a recorder takes the place of `cy`.
test('the specs for Cypress send control requests that the server accepts', async () => {
  const requests: [method: string, url: string, body?: unknown][] = []
  const noop = (): void => {}
  const cy = {
    visit: noop,
    contains: noop,
    request: (...request: (typeof requests)[number]) => requests.push(request),
  }
  const runNow = (...args: unknown[]): void => (args.at(-1) as () => void)()
  const spec = readFileSync(join(HERE, 'cypress/inventory.cy.js'), 'utf8')
  runInNewContext(spec, { cy, beforeEach: runNow, it: runNow })
  await using server = await serve(createMock())
  const statuses: number[] = []
  for (const [method, url, body] of requests) {
    const init =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await fetch(url.replace('http://127.0.0.1:4100', server.url), { method, ...init })
    statuses.push(response.status)
  }
  expect(statuses).toEqual([200, 200, 201])
})

function run(program: string, args: readonly string[], { env = {}, cwd = HERE }: RunOptions = {}) {
  return runProgram(program, args, { cwd, env })
}

/** Runs a command with `petstore-mock exec`. */
function execWith(command: readonly string[]): Promise<ProgramOutcome> {
  return run(process.execPath, [BIN, 'exec', '--', ...command])
}

async function writeScript(file: string, line: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${line}\n`)
  await chmod(file, 0o755)
}

/** The shell lines of a pipeline's test job. */
function listScript(pipeline: {
  readonly jobs?: { readonly test: { readonly steps: readonly { readonly run?: string }[] } }
  readonly test?: { readonly script: readonly string[] }
}): readonly string[] {
  const steps = pipeline.jobs?.test.steps.flatMap((step) => step.run ?? [])
  return steps ?? pipeline.test?.script ?? []
}
