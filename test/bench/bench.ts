// npm run bench -- --only 1,2,4 --quick --baseline ../before --json results.json
import { existsSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BUILD, type Build, openBuild } from './builds.ts'
import { type Comparison, compare, formatTable, type Row } from './compare.ts'
import { compareInProcess } from './rows/in-process.ts'
import { compareRequests } from './rows/requests.ts'
import { compareSizes } from './rows/size.ts'
import { compareStarts } from './rows/start.ts'
import { createTools, type Tools } from './tools.ts'

try {
  process.exitCode = await bench()
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

async function bench(): Promise<number> {
  const { only, quick, json, baseline } = parseFlags()
  const tools = createTools({ isQuick: quick })
  const comparisons = [compareRequests, compareStarts, compareInProcess, compareSizes]
    .flatMap((toComparisons): Comparison[] => toComparisons(tools))
    .sort((one, other) => one.id - other.id)
  const known = [...new Set(comparisons.map(({ id }) => id))]
  const unknown = only?.find((id) => !known.includes(id))
  if (unknown !== undefined) throw new Error(`There is no row ${unknown}. The rows are: ${known.join(', ')}.`)
  const rows: Row[] = []
  for (const comparison of comparisons) {
    const { id, what } = comparison
    if (only?.includes(id) === false) continue
    process.stderr.write(`${id} ${what}\n`)
    const skip = (error: Error): Row[] => [{ id, what, skipped: error.message }]
    rows.push(...(await compare(comparison, { ours: BUILD, baseline }).catch(skip)))
  }
  report(rows, { tools, json, quick })
  return rows.some(({ skipped }) => skipped !== undefined) ? 1 : 0
}

/** @throws {Error} for a flag that is not known, or a build that is missing. */
function parseFlags() {
  const { values } = parseArgs({
    options: {
      /** Rows of the design's table. */
      only: { type: 'string' },
      /** Another checkout with a build of the package, to compare this one with. */
      baseline: { type: 'string' },
      /** Fewer rounds: a look, no figure to quote. */
      quick: { type: 'boolean', default: false },
      /** Where the figures are written. */
      json: { type: 'string', default: join(import.meta.dirname, 'results.json') },
    },
  })
  const baseline = values.baseline === undefined ? undefined : openBuild(values.baseline)
  for (const build of [BUILD, baseline]) assertBuilt(build)
  return { ...values, baseline, only: values.only?.split(',').map(Number) }
}

function assertBuilt(build: Build | undefined): void {
  if (build === undefined || existsSync(build.bin)) return
  throw new Error(`Failed to measure: ${build.bin} is missing. Run in ${build.folder}: npm run build`)
}

interface Run {
  readonly tools: Tools
  readonly json: string
  readonly quick: boolean
}

function report(rows: readonly Row[], { tools: { load, rounds, shortRounds }, json, quick }: Run): void {
  const machine = {
    cpus: availableParallelism(),
    model: cpus()[0]?.model ?? 'unknown',
    memory: `${Math.round(totalmem() / 1024 ** 3)} GB`,
    platform: `${platform()} ${arch()}`,
    node: process.version,
  }
  writeFileSync(json, `${JSON.stringify({ machine, load: load.name, quick, rows }, undefined, 2)}\n`)
  console.log(formatTable(rows))
  const about = `${rounds} rounds of what lasts a second, ${shortRounds} of what is short`
  console.log(`\n${Object.values(machine).join(', ')}. Load: ${load.name}. ${about}.`)
}
