import { cp, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { type RunningServer, serve } from '../../src/runtimes/server.ts'
import { runProgram } from '../run-program.ts'
import type { CreateClient, InventoryClient } from './clients/client.ts'
import { DOCUMENTS, ROOT } from './exchanges.ts'

/** The script of each generator and its arguments, by the program in `clients/` that uses what it generates. */
const GENERATORS = {
  'openapi-typescript': ['openapi-typescript/bin/cli.js', 'document.yaml', '--output=generated/openapi-typescript.ts'],
  'hey-api': ['@hey-api/openapi-ts/bin/run.js', '--input=document.yaml', '--output=generated/hey-api', '--no-log-file'],
  orval: ['orval/dist/bin/orval.mjs', '--config=orval.config.js'],
} as const

const COMPILERS = {
  'TypeScript 5': 'test/openapi/node_modules/typescript/bin/tsc',
  'TypeScript 7': 'node_modules/typescript/bin/tsc',
} as const

describe.each(DOCUMENTS)('clients generated from %s', (file) => {
  const folder = join(import.meta.dirname, 'generated', basename(file, '.yaml'))
  const run = (script: string, args: readonly string[]) =>
    runProgram(process.execPath, [join(ROOT, script), ...args], { cwd: folder, env: { NO_COLOR: '1' } })
  let server: RunningServer
  beforeAll(async () => {
    await rm(folder, { recursive: true, force: true })
    await cp(join(import.meta.dirname, 'clients'), folder, { recursive: true })
    await cp(join(ROOT, file), join(folder, 'document.yaml'))
    for (const [script, ...args] of Object.values(GENERATORS)) {
      const { exitCode, output } = await run(`test/openapi/node_modules/${script}`, args)
      if (exitCode !== 0) throw new Error(output)
    }
    server = await serve(createMock())
  })
  afterAll(() => server?.close())

  test.each(Object.entries(COMPILERS))('compile under strict with %s', async (_, compiler) => {
    expect(await run(compiler, ['-p', '.'])).toMatchObject({ exitCode: 0, output: '' })
  })

  describe.each(Object.keys(GENERATORS))('%s', (name) => {
    const key = `demo-key~${name}`
    let client: InventoryClient
    beforeAll(async () => {
      const { createClient } = (await import(join(folder, `${name}.ts`))) as { createClient: CreateClient }
      client = createClient(`${server.url}/v1`)
    })

    test('lists and updates', async () => {
      const before = await client.list(key)
      expect(before).toEqual({
        status: 200,
        data: expect.arrayContaining([{ petId: 1, quantity: 12, status: 'available' }]),
      })
      const updated = { petId: 1, quantity: 20, status: 'available' }
      expect(await client.update(key, { petId: 1, quantity: 20 })).toEqual({ status: 200, data: updated })
      expect(await client.list(key)).toEqual({ status: 200, data: expect.arrayContaining([updated]) })
    })

    test.each([
      [400, 'invalid_request', key, { petId: 1, quantity: 1.5 }],
      [401, 'unauthorized', 'wrong-key', { petId: 1, quantity: 1 }],
      [404, 'not_found', key, { petId: 404, quantity: 1 }],
    ])('reads a %i with its code', async (status, code, sent, change) => {
      const error = { code, message: expect.any(String), status }
      expect(await client.update(sent, change)).toEqual({ status, error })
    })

    test('reads the 401 of a list', async () => {
      expect(await client.list('wrong-key')).toMatchObject({ status: 401, error: { code: 'unauthorized' } })
    })
  })
})
