import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BenchContext } from './context.ts'
import { resolveFromRoot } from './root.ts'

// Modules are imported by Node itself, as those in a user's node_modules are.
const CONFIG = `export default {
  test: { include: ['scripts/time-import-in-vitest.ts'], server: { deps: { external: [/dist|node_modules/] } } },
}
`

/** Makes what times the import of a module inside a run of Vitest's, in milliseconds. */
export function createVitestImport({ processes, folder }: BenchContext): (specifier: string) => Promise<number> {
  const config = join(folder, 'vitest.config.mjs')
  const result = join(folder, 'import-time.txt')
  const vitest = join(resolveFromRoot('vitest/package.json'), '../vitest.mjs')
  const args = [vitest, 'run', '--root', import.meta.dirname, '--config', config]
  writeFileSync(config, CONFIG)
  return async (specifier) => {
    const env = { BENCH_URL: pathToFileURL(resolveFromRoot(specifier)).href, BENCH_RESULT: result }
    await processes.run(process.execPath, args, { env })
    return Number(readFileSync(result, 'utf8'))
  }
}
