import { toBeAtLeast } from '../aim.ts'
import { alternate } from '../alternate.ts'
import { assertSameAnswer } from '../assert-same-answer.ts'
import type { BenchContext } from '../context.ts'
import type { Load } from '../load/load.ts'
import { compareRow, type Row, skipRow } from '../row.ts'
import { send } from '../send.ts'
import { isInstalled, PEERS, type Peer, toLabel } from '../servers/peers.ts'
import { bareProgramOfTenPets, ourProgram } from '../servers/programs.ts'
import { type StartedServer, startServer } from '../start-server.ts'
import { GET_LIST, PATCH_ONE } from '../wire.ts'

const REQUESTS = [
  { id: 1, what: 'GET list of 10 pets', request: GET_LIST, aim: toBeAtLeast(0.7) },
  { id: 2, what: 'PATCH one of 10 pets', request: PATCH_ONE, aim: toBeAtLeast(0.6) },
] as const

const NO_LOAD = 'there is neither wrk nor autocannon'
const PEER_AIM = toBeAtLeast(5)
const PEER_ROUNDS = 5

/** Requests per second of the standalone server, against a bare one and against others. */
export async function measureServer(context: BenchContext): Promise<Row[]> {
  const { load } = context
  if (load === undefined) return [1, 2, 3].map((id) => skipRow(id, 'standalone server', NO_LOAD))
  const rows = await compareWithBare(context, load)
  for (const peer of PEERS) {
    context.say(`  ${peer.name}`)
    rows.push(...(await compareWithPeer(context, { load, peer })))
  }
  return rows
}

async function compareWithBare(context: BenchContext, load: Load): Promise<Row[]> {
  await using ours = await startServer(context.processes, ourProgram())
  await using bare = await startServer(context.processes, await bareProgramOfTenPets(context))
  const rows: Row[] = []
  for (const { request, ...title } of REQUESTS) {
    assertSameAnswer('the bare server', await askBoth(ours, bare, request))
    const pairs = await alternate(context.rounds, {
      ours: () => load.measure(ours.base, [request]),
      against: () => load.measure(bare.base, [request]),
    })
    rows.push(compareRow({ ...title, unit: 'req/s', against: 'bare node:http' }, pairs))
  }
  return rows
}

/**
 * A peer that does not start, or answers otherwise, leaves its rows out and says why. Where the aim is missed, the bare
 * server is compared with the peer too: nothing that is built on `node:http` can be faster.
 */
async function compareWithPeer(context: BenchContext, { load, peer }: { load: Load; peer: Peer }): Promise<Row[]> {
  if (!isInstalled(peer)) return [skipRow(3, `against ${peer.name}`, 'it is not installed')]
  const rows: Row[] = []
  try {
    await using ours = await startServer(context.processes, ourProgram())
    await using theirs = await startServer(context.processes, peer.toProgram(context.folder))
    await using bare = await startServer(context.processes, await bareProgramOfTenPets(context))
    const title = { id: 3, unit: 'req/s', against: toLabel(peer) } as const
    for (const { what, request } of REQUESTS) {
      assertSameAnswer(peer.name, { ...(await askBoth(ours, theirs, request)), json: true })
      const measure = (server: StartedServer) =>
        alternate(Math.min(PEER_ROUNDS, context.rounds), {
          ours: () => load.measure(server.base, [request]),
          against: () => load.measure(theirs.base, [request]),
        })
      const row = compareRow({ ...title, what, aim: PEER_AIM }, await measure(ours))
      rows.push(row)
      if (!row.isMet) rows.push(compareRow({ ...title, what: `${what}, bare node:http` }, await measure(bare)))
    }
  } catch (error) {
    context.say((error as Error).message)
    rows.push(skipRow(3, `against ${peer.name}`, 'it does not start, or answers otherwise'))
  }
  return rows
}

async function askBoth(ours: StartedServer, theirs: StartedServer, request: typeof GET_LIST) {
  return { ours: await send(ours.base, request), theirs: await send(theirs.base, request) }
}
