// Tries the packed package in folders of its own: `npm run test:matrix`, or `-- --only node,msw` for some groups,
// `-- --match Parcel` for the cells with this in their title, `-- --file TGZ` for a file packed before, `-- --write` to
// write the table into the docs.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Cell, GROUPS, type Group } from './cell.ts'
import { CELLS } from './cells.ts'
import { runCommand } from './run-command.ts'
import { toPage } from './to-page.ts'
import { installManagers, type Outcome, tryCell } from './try-cell.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** How many cells are tried beside each other. */
const LANES = 2

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    match: { type: 'string' },
    file: { type: 'string' },
    write: { type: 'boolean' },
    json: { type: 'string' },
  },
})
const groups = values.only?.split(',') ?? GROUPS
const unknown = groups.find((group) => !GROUPS.includes(group as Group))
if (unknown !== undefined) throw new Error(`There is no group ${unknown}. Known are ${GROUPS.join(', ')}.`)
const cells = CELLS.filter(({ group, title }) => groups.includes(group) && title.includes(values.match ?? ''))

const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-matrix-'))
const outcomes = new Map<Cell, Outcome>()
try {
  const file = values.file === undefined ? await pack(folder) : resolve(values.file)
  const programs = await installManagers(join(folder, 'managers'), cells)
  const bench = { folder, file, programs, projects: new Map() }
  const waiting = [...cells]
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) {
        const outcome = await tryCell(cell, bench)
        outcomes.set(cell, outcome)
        console.log(`${outcome.problem === undefined ? 'works' : 'FAILS'}  ${cell.group}: ${cell.title}`)
        if (outcome.problem !== undefined) console.log(outcome.problem)
      }
    }),
  )
} finally {
  await rm(folder, { recursive: true, force: true })
}

if (values.write) await writeFile(join(ROOT, 'docs/compatibility.md'), toPage(cells, outcomes))
const failed = cells.filter((cell) => outcomes.get(cell)?.problem !== undefined)
if (values.json !== undefined) {
  await writeFile(
    values.json,
    JSON.stringify({ numPassedTests: cells.length - failed.length, numFailedTests: failed.length }),
  )
}
console.log(`${cells.length - failed.length} of ${cells.length} cells work.`)
process.exitCode = failed.length === 0 ? 0 : 1

/** Packs what `npm run test:matrix` has built. */
async function pack(destination: string): Promise<string> {
  const command = ['npm', 'pack', '--ignore-scripts', '--pack-destination', destination]
  const { isDone, output } = await runCommand(command, { cwd: ROOT })
  const [name] = await readdir(destination)
  if (!isDone || name === undefined) throw new Error(output)
  return join(destination, name)
}
