import { compareSubjects } from '../../compare-subjects.ts'
import type { BenchContext } from '../../context.ts'
import { alternate, compareRow, type Row, toBeAtMost } from '../../rows.ts'
import { bareProgram, ourProgram } from '../../servers/programs.ts'
import { startServer } from '../../start-server.ts'
import { assertSameAnswer, createTimedClient, GET_LIST, send, toPatch, toSpreadPetId } from '../../wire.ts'

const PETS = 100_000
/** How many lists V8 gets to compile what it runs. */
const WARM_UP = 200
const READS = 3

const CASES = [
  { what: 'GET list of 100,000 pets', changes: false, aim: toBeAtMost(1.1) },
  { what: 'the same after one PATCH each', changes: true, aim: toBeAtMost(1.3) },
] as const

/** The list of a large inventory, against a bare server that sends the same bytes; and the same in the process. */
export async function measureList(context: BenchContext): Promise<Row[]> {
  const overHttp = await measureOverHttp(context)
  const inProcess: Row[] = []
  for (const { changes, what, aim } of CASES) {
    const title = { id: 9, what: `${what}, mock.fetch`, aim, against: 'Request and Response of the bytes' }
    const ours = { name: 'list-bytes', options: { pets: PETS, changes } } as const
    const against = { name: 'plain-list-bytes', options: { pets: PETS } } as const
    inProcess.push(await compareSubjects(context, title, { ours, against, count: READS }))
  }
  return [...overHttp, ...inProcess]
}

/** One request at a time: of so many bytes, a load generator would measure little but its own reading. */
async function measureOverHttp(context: BenchContext): Promise<Row[]> {
  await using ours = await startServer(context.processes, ourProgram(['--pets', String(PETS)]))
  const bytes = { list: ours.firstAnswer.body, item: Buffer.from('{}') }
  await using bare = await startServer(context.processes, await bareProgram(context, bytes))
  assertSameAnswer('the bare server', { ours: await send(ours.base, GET_LIST), theirs: bare.firstAnswer })
  using client = createTimedClient()
  for (const { base } of [ours, bare]) await client.measure(base, { request: GET_LIST, count: WARM_UP })
  const rows: Row[] = []
  for (const { changes, ...title } of CASES) {
    context.say(`  ${title.what}`)
    const prepare = changes ? createChange(ours.base) : async () => {}
    const pairs = await alternate(context.shortRounds, {
      ours: () => client.measure(ours.base, { request: GET_LIST, count: READS, prepare }),
      against: () => client.measure(bare.base, { request: GET_LIST, count: READS }),
    })
    rows.push(compareRow({ ...title, id: 9, unit: 'ms', against: 'bare node:http' }, pairs))
  }
  return rows
}

/** Changes another pet each time, and once looks whether the list shows it. */
function createChange(base: string): () => Promise<void> {
  let turn = 0
  return async () => {
    const [petId, quantity] = [toSpreadPetId(turn, PETS), turn % 100]
    turn += 1
    const { status } = await send(base, toPatch(petId, quantity))
    const isSeen = turn > 1 || (await send(base, GET_LIST)).body.includes(`{"petId":${petId},"quantity":${quantity},`)
    if (status !== 200 || !isSeen) throw new Error('Failed to measure: the list does not show an update.')
  }
}
