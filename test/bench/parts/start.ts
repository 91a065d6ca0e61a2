import type { BenchContext } from '../context.ts'
import { readMemory } from '../processes.ts'
import { compareRow, type Row, toBeAtMost } from '../rows.ts'
import { bareProgramOfTenPets, ourProgram } from '../servers/programs.ts'
import { type ServerProgram, startServer } from '../start-server.ts'
import { assertSameAnswer } from '../wire.ts'

interface Start {
  readonly time: number
  readonly memory: number
}

/** From the start of a process to its first answer, and the memory that it has then. */
export async function measureStart(context: BenchContext): Promise<Row[]> {
  const programs = await prepare(context)
  const ours: Start[] = []
  const against: Start[] = []
  for (let round = 0; round < context.shortRounds; round += 1) {
    ours.push(await start(context, programs.ours))
    against.push(await start(context, programs.bare))
  }
  const toPairs = (key: keyof Start) => ({
    ours: ours.map((each) => each[key]),
    against: against.map((each) => each[key]),
  })
  const title = { id: 4, against: 'bare node:http' }
  return [
    compareRow({ ...title, what: 'process start to first answer', unit: 'ms', aim: toBeAtMost(1.35) }, toPairs('time')),
    compareRow({ ...title, what: 'resident memory then', unit: 'MB', aim: toBeAtMost(1.1) }, toPairs('memory')),
  ]
}

/** Looks that both answer the same. */
async function prepare(context: BenchContext): Promise<{ ours: ServerProgram; bare: ServerProgram }> {
  const programs = { ours: ourProgram(), bare: await bareProgramOfTenPets(context) }
  await using ours = await startServer(context.processes, programs.ours)
  await using bare = await startServer(context.processes, programs.bare)
  assertSameAnswer('the bare server', { ours: ours.firstAnswer, theirs: bare.firstAnswer })
  return programs
}

async function start({ processes }: BenchContext, program: ServerProgram): Promise<Start> {
  await using server = await startServer(processes, program)
  return { time: server.readyAfter, memory: await readMemory(processes, server.pid) }
}
