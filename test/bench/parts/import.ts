import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BenchContext } from '../context.ts'
import { compileScript } from '../processes.ts'
import { resolveFromRoot } from '../root.ts'
import { alternate, compareRow, type Row, toBeAtMost } from '../rows.ts'

const NAME = 'petstore-mock'

/** The entries, and what of msw a user imports there without us. */
const ENTRIES = [
  { entry: '.', against: 'msw' },
  { entry: './node', against: 'msw/node' },
  { entry: './server', against: 'msw' },
  { entry: './browser', against: 'msw' },
] as const

const AIM = toBeAtMost(1.25)

/** How long the import of each entry takes, each time in a fresh process. */
export async function measureImport(context: BenchContext): Promise<Row[]> {
  const script = await compileScript(new URL('../scripts/time-import.ts', import.meta.url), context.folder)
  const time = async (specifier: string): Promise<number> =>
    Number(await context.processes.run(process.execPath, [script, pathToFileURL(resolveFromRoot(specifier)).href]))
  const rows: Row[] = []
  for (const { entry, against } of ENTRIES) {
    const pairs = await alternate(context.shortRounds, {
      ours: () => time(NAME + entry.slice(1)),
      against: () => time(against),
    })
    rows.push(compareRow(toTitle(entry, against), pairs))
  }
  return [...rows, await measureInVitest(context)]
}

/** The entry for Vitest can be imported inside a run of Vitest's only. */
async function measureInVitest(context: BenchContext): Promise<Row> {
  const time = createVitestImport(context)
  const pairs = await alternate(context.rounds, {
    ours: () => time(`${NAME}/vitest`),
    against: () => time('msw/node'),
  })
  return compareRow(toTitle('./vitest, inside Vitest', 'msw/node'), pairs)
}

function toTitle(entry: string, against: string) {
  return { id: 5, what: `import of ${entry}`, unit: 'ms', aim: AIM, against: `import '${against}'` }
}

// Modules are imported by Node itself, as those in a user's node_modules are.
const CONFIG = `export default {
  test: { include: ['scripts/time-import-in-vitest.ts'], server: { deps: { external: [/dist|node_modules/] } } },
}
`

/** Makes what times the import of a module inside a run of Vitest's, in milliseconds. */
function createVitestImport({ processes, folder }: BenchContext): (specifier: string) => Promise<number> {
  const config = join(folder, 'vitest.config.mjs')
  const result = join(folder, 'import-time.txt')
  const vitest = join(resolveFromRoot('vitest/package.json'), '../vitest.mjs')
  const args = [vitest, 'run', '--root', join(import.meta.dirname, '..'), '--config', config]
  writeFileSync(config, CONFIG)
  return async (specifier) => {
    const env = { BENCH_URL: pathToFileURL(resolveFromRoot(specifier)).href, BENCH_RESULT: result }
    await processes.run(process.execPath, args, { env })
    return Number(readFileSync(result, 'utf8'))
  }
}
