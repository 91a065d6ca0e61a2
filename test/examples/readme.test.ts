import { exec } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const readme = await readFile(`${ROOT}/README.md`, 'utf8')
const run = promisify(exec)

describe('the README', () => {
  const copies = Array.from(readme.matchAll(/<!-- (\S+) -->\n```ts\n([\s\S]*?)```/g), ([, file = '', code = '']) => ({
    file,
    code,
  }))

  test('has a quick start for each runtime and use', () => {
    expect(copies.map(({ file }) => file)).toEqual([
      'test/examples/suite.test.ts',
      'test/examples/server.test.ts',
      'test/browser/quick-start.test.ts',
      'test/apps/react/src/mock.ts',
      'test/examples/seed.test.ts',
      'test/examples/sandboxes.test.ts',
      'test/examples/vitest.test.ts',
      'test/examples/outage.test.ts',
      'test/examples/playwright.spec.ts',
    ])
  })

  test.each(copies)('shows $file as it runs', async ({ file, code }) => {
    expect(code).toBe(await readFile(`${ROOT}/${file}`, 'utf8'))
  })

  test.skipIf(process.platform === 'win32')('has curl lines that work in their order', async () => {
    const lines = readme.split('\n').filter((line) => line.startsWith('curl '))
    const mock = createMock()
    await using server = await serve(mock)
    const answers: string[] = []
    for (const line of lines) {
      const { stdout } = await run(`${line.replaceAll('http://127.0.0.1:4100', server.url)} --silent --show-error`)
      answers.push(stdout)
    }
    const [before, update, elsewhere, reset] = answers
    expect(update).toBe('{"petId":2,"quantity":20,"status":"available"}')
    expect(elsewhere).toBe(before)
    expect(reset).toBe(`{"inventory":${before}}`)
  })
})
