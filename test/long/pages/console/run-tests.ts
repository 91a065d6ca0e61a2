import { exec } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

/** Runs files of one test each as a user would, against the built package; resolves with their statuses. */
export async function runTests(tests: readonly string[]): Promise<unknown[]> {
  const root = resolve(import.meta.dirname, '../../../..')
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const config = {
    root: folder,
    test: { isolate: false, maxWorkers: 1 },
    resolve: { alias: { 'petstore-mock': join(root, 'dist/index.js'), vitest: join(root, 'node_modules/vitest') } },
  }
  await writeFile(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}`)
  await Promise.all(tests.map((text, index) => writeFile(join(folder, `copied-${index}.test.ts`), text)))
  const args = ['run', '--root', folder, '--reporter', 'json', '--outputFile', join(folder, 'report.json')]
  const command = [process.execPath, join(root, 'node_modules/vitest/vitest.mjs'), ...args].map((each) => `"${each}"`)
  await promisify(exec)(command.join(' '), { cwd: folder, env: { ...process.env, VITEST: undefined } }).catch(() => {})
  const { testResults }: Report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))
  return tests.map((_, index) => {
    const file = testResults.find(({ name }) => name.endsWith(`/copied-${index}.test.ts`))
    return file?.assertionResults.map(({ status }) => status).join()
  })
}
