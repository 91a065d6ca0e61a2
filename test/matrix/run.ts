// Tries the packed package in folders of its own: `npm run test:matrix`, or `-- --only node,msw` for some groups,
// `-- --match Parcel` for the cells with this in their title, `-- --file TGZ` for a file packed before, `-- --write` to
// write the table into the docs.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CELLS, type Cell, GROUPS, type Group } from './cells.ts'
import { installManagers, type Outcome, runCommand, tryCell } from './try-cell.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** How many cells are tried beside each other. */
const LANES = 2

const TITLES: Readonly<Record<Group, string>> = {
  node: 'Node',
  managers: 'Package managers and runtimes',
  msw: 'msw',
  workers: 'A service worker in Chromium',
  vitest: 'Vitest',
  runners: 'Other test runners',
  mutants: 'Suites under `mutate`',
  typescript: 'TypeScript',
  linters: 'Checks of the package',
  bundlers: 'Bundlers',
  clients: 'HTTP clients',
}

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
if (cells.length === 0) throw new Error(`No cell has ${values.match} in its title.`)

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

/** `docs/compatibility.md`. */
function toPage(cells: readonly Cell[], outcomes: ReadonlyMap<Cell, Outcome>): string {
  const rows = GROUPS.flatMap((group) => {
    const tried = cells.filter((cell) => cell.group === group)
    const [works, fails] = [true, false].map((isRight) =>
      joinTitles(tried.filter((cell) => (outcomes.get(cell)?.problem === undefined) === isRight)),
    )
    return tried.length === 0 ? [] : [`| ${TITLES[group]} | ${works}${fails === '' ? '' : `. **Fails:** ${fails}`} |`]
  })
  return [
    '# Compatibility',
    '',
    'For each entry, a small program or test suite ran in a fresh folder with the packed package, on Linux (x64).',
    '',
    '| what | works with |',
    '| --- | --- |',
    ...rows,
    '',
    'Before 2.13.4, msw cannot restart a worker in the same page.',
    '',
    '**Windows and macOS are untried.** Windows has no SIGHUP and no file modes; what needs them does nothing.',
    '',
  ].join('\n')
}

/** What titles have in common is written once: `Playwright 1.54, Playwright 1.65 (ES modules; CommonJS)`. */
function joinTitles(cells: readonly Cell[]): string {
  const variants = Map.groupBy(cells, ({ title }) => title.split(', ')[0] ?? title)
  const names = Map.groupBy(variants, ([name, members]) =>
    members.map(({ title }) => title.slice(name.length + 2)).join('; '),
  )
  return Array.from(names, ([variant, members]) => {
    const joined = members.map(([name]) => name).join(', ')
    return variant === '' ? joined : `${joined} (${variant})`
  }).join('; ')
}
