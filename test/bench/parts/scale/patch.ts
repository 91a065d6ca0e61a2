import { compareSubjects } from '../../compare-subjects.ts'
import type { BenchContext } from '../../context.ts'
import { alternate, compareRow, type Row, skipRow, toBeAtMost } from '../../rows.ts'
import { ourProgram } from '../../servers/programs.ts'
import { type StartedServer, startServer } from '../../start-server.ts'
import { send, toPatch, toSpreadPetId, type WireRequest } from '../../wire.ts'

const LARGE = 1_000_000
const SMALL = 10
/** How many pets are updated in turn. */
const UPDATED = 1000
const MICROSECONDS = 1e6
const TITLE = { id: 8, aim: toBeAtMost(1.5), against: '10 pets' } as const

/** Updates in a large inventory, against a small one: in the process, and over HTTP. */
export async function measurePatch(context: BenchContext): Promise<Row[]> {
  const title = { ...TITLE, what: 'PATCH at 1,000,000 pets, mock.fetch' }
  const toSide = (pets: number) => ({ name: 'patch-pet', options: { pets } }) as const
  const inProcess = await compareSubjects(context, title, { ours: toSide(LARGE), against: toSide(SMALL), count: 1000 })
  return [inProcess, await measureOverHttp(context)]
}

async function measureOverHttp(context: BenchContext): Promise<Row> {
  const what = 'PATCH at 1,000,000 pets, over HTTP'
  const { load } = context
  if (load === undefined) return skipRow(TITLE.id, what, 'there is neither wrk nor autocannon')
  context.say(`  ${what}`)
  await using large = await start(context, LARGE)
  await using small = await start(context, SMALL)
  const time = async ({ base }: StartedServer, pets: number): Promise<number> =>
    MICROSECONDS / (await load.measure(base, toPatches(pets))).rate
  const pairs = await alternate(context.rounds, { ours: () => time(large, LARGE), against: () => time(small, SMALL) })
  return compareRow({ ...TITLE, what, unit: 'µs' }, pairs)
}

/** Its first answer is the update of its last pet: then all are there. */
async function start({ processes }: BenchContext, pets: number): Promise<StartedServer> {
  const server = await startServer(processes, ourProgram(['--pets', String(pets)], toPatch(pets, 1)))
  const { status, body } = await send(server.base, toPatch(pets, 2))
  if (status === 200 && body.includes(`{"petId":${pets},"quantity":2,`)) return server
  throw new Error(`Failed to measure: the update at ${pets} pets was answered with ${status} ${body}`)
}

function toPatches(pets: number): [WireRequest, ...WireRequest[]] {
  const patches = Array.from({ length: UPDATED }, (_, turn) => toPatch(toSpreadPetId(turn, pets), turn % 100))
  return [toPatch(1, 1), ...patches]
}
