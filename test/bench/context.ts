import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BenchFlags } from './flags.ts'
import { createLoad, type Load } from './load/load.ts'
import { createProcesses, type Processes } from './processes.ts'

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
  /** How long a load lasts that is to show whether something grows, in seconds. */
  readonly steadySeconds: number
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
    steadySeconds: quick ? 10 : 60,
    ...(baseline !== undefined && { baseline }),
    say: (line) => process.stderr.write(`${line}\n`),
  }
}
