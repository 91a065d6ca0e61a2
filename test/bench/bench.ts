import { existsSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os'
import { type BenchContext, createContext, type Part, parseFlags } from './context.ts'
import { measureEvents } from './parts/events.ts'
import { measureImport } from './parts/import.ts'
import { measureFetch, measureIntercept } from './parts/in-process.ts'
import { measureSandboxes } from './parts/sandboxes.ts'
import { measureScale } from './parts/scale.ts'
import { measureServer } from './parts/server.ts'
import { measureSize } from './parts/size.ts'
import { measureStart } from './parts/start.ts'
import { measureState } from './parts/state.ts'
import { ROOT } from './root.ts'
import { formatTable, type Row } from './rows.ts'
import { isInstalled, PEERS } from './servers/peers.ts'

/** What the figures were measured on. */
interface Machine {
  readonly cpus: number
  readonly model: string
  readonly memory: string
  readonly platform: string
  readonly node: string
}

function readMachine(): Machine {
  return {
    cpus: availableParallelism(),
    model: cpus()[0]?.model ?? 'unknown',
    memory: `${Math.round(totalmem() / 1024 ** 3)} GB`,
    platform: `${platform()} ${arch()}`,
    node: process.version,
  }
}

const MEASURE: Readonly<Record<Part, (context: BenchContext) => Promise<Row[]>>> = {
  server: measureServer,
  start: measureStart,
  import: measureImport,
  fetch: measureFetch,
  intercept: measureIntercept,
  scale: measureScale,
  sandboxes: measureSandboxes,
  size: measureSize,
  state: measureState,
  events: measureEvents,
}

try {
  await bench(process.argv.slice(2))
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

async function bench(argv: readonly string[]): Promise<void> {
  const { parts, quick, json, ...flags } = parseFlags(argv)
  if (!existsSync(new URL('dist/bin.js', ROOT))) {
    throw new Error('Failed to measure: the bench measures the built package. Run: npm run build')
  }
  const context = createContext({ quick, ...flags })
  if (parts.includes('server') && !PEERS.every(isInstalled)) {
    context.say('Peers that are not installed are left out. To compare with them too, run: npm ci --prefix test/bench')
  }
  const rows: Row[] = []
  for (const part of parts) {
    context.say(part)
    rows.push(...(await MEASURE[part](context)))
  }
  report(
    rows.toSorted((a, b) => a.id - b.id),
    { context, quick, json },
  )
}

function report(
  rows: readonly Row[],
  { context, quick, json }: { context: BenchContext; quick: boolean; json: string },
): void {
  const machine = readMachine()
  const load = context.load?.name ?? 'none'
  writeFileSync(json, `${JSON.stringify({ machine, load, quick, rows }, undefined, 2)}\n`)
  console.log(formatTable(rows))
  console.log(
    `\n${Object.values(machine).join(', ')}. Load: ${load}. ${context.rounds} rounds of what lasts a second, ${context.shortRounds} of what is short.`,
  )
}
