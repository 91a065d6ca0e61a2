import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { BUILD, type Build } from '../builds.ts'
import { atMost, atMostMore, type Comparison } from '../compare.ts'
import { readMemory } from '../processes.ts'
import type { StateFigures, StateStep } from '../scripts/time-state.ts'
import { ourProgram, type StartedServer, startServer } from '../servers.ts'
import type { Tools } from '../tools.ts'
import { GET_LIST, PATCH_ONE } from '../wire.ts'

/** What is kept, and what it costs to keep it: rows 16 and 17. */
export function compareMemory(tools: Tools): Comparison[] {
  return [...[100, 10_000].map((changes) => compareState(tools, changes)), compareEvents(tools)]
}

const SANDBOXES = 40
const PETS = 10_000

/** A save to the file of `--state` and the restart from it. It is measured from the sources, also beside a baseline. */
function compareState({ processes, folder, rounds }: Tools, changes: number): Comparison {
  const file = join(folder, 'state.json')
  const run = async (step: StateStep): Promise<StateFigures> => {
    const args = ['--expose-gc', await processes.compile('time-state'), step, file]
    const counts = [SANDBOXES, changes, PETS].map(String)
    return JSON.parse(await processes.run(process.execPath, [...args, ...counts])) as StateFigures
  }
  return {
    id: 16,
    what: `${SANDBOXES} sandboxes with ${changes.toLocaleString('en')} changes over ${PETS.toLocaleString('en')} pets`,
    against: 'one JSON.stringify',
    rounds: Math.min(5, rounds),
    figures: {
      time: { what: ', save and load', unit: 'ms', aim: atMost(3) },
      saved: { what: ', memory after the save', unit: 'MB', aim: atMost(2) },
      loaded: { what: ', memory after the restart', unit: 'MB', aim: atMost(2) },
    },
    ours: () => ({
      async measure() {
        await rm(file, { force: true })
        const [saved, loaded] = [await run('save'), await run('load')]
        return { time: saved.ms + loaded.ms, saved: saved.after, loaded: loaded.after }
      },
    }),
    theirs: () => ({
      async measure() {
        const { ms, before } = await run('stringify')
        return { time: ms, saved: before, loaded: before }
      },
    }),
  }
}

const STALLED = 4
const SECONDS = 4

/** What clients cost that follow the events of a sandbox and do not read them, while others list and update. */
function compareEvents(tools: Tools): Comparison {
  return {
    id: 17,
    what: `${SECONDS} s of lists and updates beside ${STALLED} stalled event streams`,
    against: 'without streams',
    rounds: tools.rounds,
    figures: {
      memory: { what: ', resident memory', unit: 'MB', aim: atMostMore(64, 'MB') },
      rate: { what: ', per second', unit: '/s' },
    },
    ours: (build) => ({ measure: () => measureBeside(STALLED, { tools, build }) }),
    theirs: () => ({ measure: () => measureBeside(0, { tools, build: BUILD }) }),
  }
}

async function measureBeside(
  streams: number,
  { tools: { processes, load }, build }: { tools: Tools; build: Build },
): Promise<{ memory: number; rate: number }> {
  await using server = await startServer(processes, ourProgram(build))
  const stalled = await Promise.all(Array.from({ length: streams }, () => openStalled(server)))
  let rate = 0
  for (let second = 0; second < SECONDS; second += 1)
    rate += (await load.measure(server.base, [GET_LIST, PATCH_ONE])).rate / SECONDS
  const memory = await readMemory(processes, server.pid)
  for (const stream of stalled) stream.destroy()
  return { memory, rate }
}

/** Follows the events, and stops reading when the stream has begun. */
async function openStalled({ base }: StartedServer): Promise<IncomingMessage> {
  const [stream] = (await once(get(new URL('/_mock/events', base)), 'response')) as [IncomingMessage]
  await once(stream, 'readable')
  return stream.pause()
}
