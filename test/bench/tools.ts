import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLoad, type Load } from './load.ts'
import { createProcesses, type Processes } from './processes.ts'

/** What every row has at hand. */
export interface Tools {
  readonly processes: Processes
  readonly load: Load
  /** A temporary folder, which is deleted after the run. */
  readonly folder: string
  /** The number of rounds of what lasts about a second. */
  readonly rounds: number
  /** The number of rounds of what is short: on a busy machine many short rounds tell more than a few long ones. */
  readonly shortRounds: number
}

/** Makes what a run needs. However the run ends, its processes and its temporary files go with it. */
export function createTools({ isQuick }: { isQuick: boolean }): Tools {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-bench-'))
  const processes = createProcesses(folder)
  process.once('exit', () => {
    processes.killAll()
    rmSync(folder, { recursive: true, force: true })
  })
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
  const load = createLoad(processes, folder)
  return { processes, folder, load, rounds: isQuick ? 3 : 7, shortRounds: isQuick ? 5 : 21 }
}
