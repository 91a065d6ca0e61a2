import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchContext } from '../context.ts'
import { compileScript } from '../processes.ts'
import { compareRow, type Row, toBeAtMost } from '../rows.ts'
import type { StateStep } from '../scripts/time-state.ts'

const ID = 16
const SANDBOXES = 40
const PETS = 10_000
/** A few changes in each sandbox, and all that there can be. */
const CHANGES = [100, PETS]
const MOST_ROUNDS = 5

/** What a save to the file of `--state` costs, and the restart from it. */
export async function measureState(context: BenchContext): Promise<Row[]> {
  const script = await compileScript(new URL('../scripts/time-state.ts', import.meta.url), context.folder)
  const rows: Row[] = []
  for (const changes of CHANGES) rows.push(...(await measureChanges(context, { script, changes })))
  return rows
}

async function measureChanges(
  { processes, folder, rounds, say }: BenchContext,
  { script, changes }: { script: string; changes: number },
): Promise<Row[]> {
  const what = `${SANDBOXES} sandboxes with ${changes.toLocaleString('en')} changes over ${PETS.toLocaleString('en')} pets`
  say(`  ${what}`)
  const file = join(folder, 'state.json')
  const run = async (step: string): Promise<StateStep> => {
    const args = ['--expose-gc', script, step, file, String(SANDBOXES), String(changes), String(PETS)]
    const outcome = JSON.parse(await processes.run(process.execPath, args)) as StateStep
    if (outcome.isRight) return outcome
    throw new Error(`Failed to measure: ${step} lost changes of the state.`)
  }
  const times = { ours: [] as number[], against: [] as number[] }
  const memory = { saved: [] as number[], loaded: [] as number[], before: [] as number[] }
  for (let round = 0; round < Math.min(MOST_ROUNDS, rounds); round += 1) {
    await rm(file, { force: true })
    const [saved, loaded, stringified] = [await run('save'), await run('load'), await run('stringify')]
    times.ours.push(saved.ms + loaded.ms)
    times.against.push(stringified.ms)
    memory.saved.push(saved.after)
    memory.loaded.push(loaded.after)
    memory.before.push(saved.before)
  }
  const toMemoryRow = (when: string, ours: readonly number[]): Row => {
    const title = {
      id: ID,
      what: `${what}: memory ${when}`,
      unit: 'MB',
      aim: toBeAtMost(1.5),
      against: 'before the save',
    }
    return compareRow(title, { ours, against: memory.before })
  }
  return [
    compareRow(
      { id: ID, what: `${what}: save and load`, unit: 'ms', aim: toBeAtMost(3), against: 'one JSON.stringify' },
      times,
    ),
    toMemoryRow('after the save', memory.saved),
    toMemoryRow('after the restart', memory.loaded),
  ]
}
