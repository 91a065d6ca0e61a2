import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import type { BenchContext } from '../../context.ts'
import { compileScript, readMemory } from '../../processes.ts'
import { resolveFromRoot } from '../../root.ts'
import { type Aim, compareRow, type Row, toStayBelow } from '../../rows.ts'
import { ourProgram } from '../../servers/programs.ts'
import { startServer } from '../../start-server.ts'
import { toPatch } from '../../wire.ts'

const PETS = 1_000_000
const MOST_ROUNDS = 5
const LIBRARY = pathToFileURL(resolveFromRoot('@mswjs/data')).href

interface Start {
  readonly seconds: number
  readonly memory: number
}

/** The start with a million pets, against the library that keeps them, alone. */
export async function measureMillion(context: BenchContext): Promise<Row[]> {
  context.say('  start with 1,000,000 pets')
  const script = await compileScript(new URL('../../scripts/fill-library.ts', import.meta.url), context.folder)
  const ours: Start[] = []
  const against: Start[] = []
  for (let round = 0; round < Math.min(MOST_ROUNDS, context.rounds); round += 1) {
    ours.push(await startOurs(context))
    against.push(await startLibrary(context, script))
  }
  const toRow = (key: keyof Start, title: { what: string; unit: string; aim: Aim }): Row => {
    const pairs = { ours: ours.map((each) => each[key]), against: against.map((each) => each[key]) }
    return compareRow({ ...title, id: 12, against: '@mswjs/data alone' }, pairs)
  }
  return [
    toRow('seconds', { what: 'start with 1,000,000 pets', unit: 's', aim: toStayBelow(4, { unit: 's', where: 2.7 }) }),
    toRow('memory', { what: 'resident memory then', unit: 'MB', aim: toStayBelow(600, { unit: 'MB', where: 340 }) }),
  ]
}

/** Its first answer is the update of its last pet: then all are there. */
async function startOurs({ processes }: BenchContext): Promise<Start> {
  const program = ourProgram(['--pets', String(PETS)], toPatch(PETS, 1))
  await using server = await startServer(processes, program)
  return { seconds: server.readyAfter / 1000, memory: await readMemory(processes, server.pid) }
}

async function startLibrary({ processes }: BenchContext, script: string): Promise<Start> {
  const start = performance.now()
  const { child, pid, complaint, stop } = processes.fork(script, [LIBRARY, String(PETS)])
  try {
    const [size] = await Promise.race([once(child, 'message'), once(child, 'exit')])
    if (size !== PETS) throw new Error(`Failed to fill @mswjs/data: it holds ${size} pets. ${complaint()}`)
    return { seconds: (performance.now() - start) / 1000, memory: await readMemory(processes, pid) }
  } finally {
    await stop()
  }
}
