import { pathToFileURL } from 'node:url'
import { toBeAtMost } from '../aim.ts'
import { alternate } from '../alternate.ts'
import { compileScript } from '../compile-script.ts'
import type { BenchContext } from '../context.ts'
import { createVitestImport } from '../create-vitest-import.ts'
import { resolveFromRoot } from '../root.ts'
import { compareRow, type Row } from '../row.ts'

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
