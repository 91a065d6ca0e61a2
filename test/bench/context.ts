import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createLoad, type Load } from './load/load.ts'
import { createProcesses, type Processes } from './processes.ts'

const PARTS = [
  'server',
  'start',
  'import',
  'fetch',
  'intercept',
  'scale',
  'sandboxes',
  'size',
  'state',
  'events',
] as const
export type Part = (typeof PARTS)[number]

/** What the bench was told. */
interface BenchFlags {
  readonly parts: readonly Part[]
  /** Fewer rounds: a look, no figure to quote. */
  readonly quick: boolean
  /** The script of another build of the program (`dist/bin.js`), to compare this one with. */
  readonly baseline?: string
  /** Where the figures are written. */
  readonly json: string
}

/** @throws {Error} for a flag or a part that it does not know. */
export function parseFlags(argv: readonly string[]): BenchFlags {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string', multiple: true, default: [...PARTS] },
      baseline: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string', default: fileURLToPath(new URL('results.json', import.meta.url)) },
    },
  })
  const parts = values.only.flatMap((list) => list.split(','))
  const unknown = parts.find((part) => !isPart(part))
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}. The parts are: ${PARTS.join(', ')}.`)
  const { quick, json, baseline } = values
  return {
    parts: PARTS.filter((part) => parts.includes(part)),
    quick,
    json,
    ...(baseline !== undefined && { baseline: resolve(baseline) }),
  }
}

function isPart(text: string): text is Part {
  return (PARTS as readonly string[]).includes(text)
}

/** What every part of the bench has at hand. */
export interface BenchContext {
  readonly processes: Processes
  /** `undefined` where there is no load generator. */
  readonly load: Load | undefined
  /** A temporary folder, which goes with the run. */
  readonly folder: string
  /** How many rounds there are of what lasts about a second. */
  readonly rounds: number
  /** How many there are of what is short: on a busy machine many short rounds tell more than a few long ones. */
  readonly shortRounds: number
  /** The script of another build of the program, to compare this one with. */
  readonly baseline?: string
  /** Tells of progress. */
  say(line: string): void
}

/** Makes what a run needs; however the run ends, its processes and its temporary files go with it. */
export function createContext({ quick, baseline }: Pick<BenchFlags, 'quick' | 'baseline'>): BenchContext {
  const processes = createProcesses()
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-bench-'))
  process.once('exit', () => {
    processes.killAll()
    rmSync(folder, { recursive: true, force: true })
  })
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
  return {
    processes,
    folder,
    load: createLoad(processes, folder),
    rounds: quick ? 3 : 7,
    shortRounds: quick ? 5 : 21,
    ...(baseline !== undefined && { baseline }),
    say: (line) => process.stderr.write(`${line}\n`),
  }
}
