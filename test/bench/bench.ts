import { existsSync, writeFileSync } from 'node:fs'
import { type BenchContext, createContext } from './context.ts'
import { type Part, parseFlags } from './flags.ts'
import { formatTable } from './format-table.ts'
import { readMachine } from './machine.ts'
import { measureFetch } from './parts/fetch.ts'
import { measureImport } from './parts/import.ts'
import { measureIntercept } from './parts/intercept.ts'
import { measureScale } from './parts/scale.ts'
import { measureServer } from './parts/server.ts'
import { measureStart } from './parts/start.ts'
import { ROOT } from './root.ts'
import type { Row } from './row.ts'
import { isInstalled, PEERS } from './servers/peers.ts'

const MEASURE: Readonly<Partial<Record<Part, (context: BenchContext) => Promise<Row[]>>>> = {
  server: measureServer,
  start: measureStart,
  import: measureImport,
  scale: measureScale,
  intercept: measureIntercept,
  fetch: measureFetch,
}

const { parts, quick, json } = parseFlags(process.argv.slice(2))
if (!existsSync(new URL('dist/bin.js', ROOT)))
  throw new Error('The bench measures the built package. Run: npm run build')
const context = createContext(quick)
if (!PEERS.every(isInstalled)) {
  context.say(
    'Some peers are not installed and are left out; to compare with them too, run: npm ci --prefix test/bench',
  )
}

const rows: Row[] = []
for (const part of parts) {
  context.say(part)
  rows.push(...((await MEASURE[part]?.(context)) ?? []))
}
const outcome = { machine: readMachine(), load: context.load?.name ?? 'none', isQuick: quick, rows }
writeFileSync(json, `${JSON.stringify(outcome, undefined, 2)}\n`)
console.log(formatTable(rows))
console.log(`\n${Object.values(outcome.machine).join(', ')}. Load: ${outcome.load}.`)
