import type { BenchContext } from '../context.ts'
import type { Load } from '../load/load.ts'
import { alternate, compareRow, pickFigure, type Row, skipRow, toBeAtLeast } from '../rows.ts'
import { isInstalled, PEERS, type Peer, toLabel } from '../servers/peers.ts'
import { bareProgramOfTenPets, ourProgram } from '../servers/programs.ts'
import { type StartedServer, startServer } from '../start-server.ts'
import { assertSameAnswer, GET_LIST, PATCH_ONE, send } from '../wire.ts'
import { compareWithBare, compareWithBaseline } from './connections.ts'

const REQUESTS = [
  { what: 'GET list of 10 pets', request: GET_LIST },
  { what: 'PATCH one of 10 pets', request: PATCH_ONE },
] as const

const NO_LOAD = 'there is neither wrk nor autocannon'
const PEER_AIMS = { GET: toBeAtLeast(7), PATCH: toBeAtLeast(3) } as const
const PEER_ROUNDS = 5

/** Throughput of the standalone server, against a bare one, against another build and against peers. */
export async function measureServer(context: BenchContext): Promise<Row[]> {
  const { load } = context
  if (load === undefined) return [1, 2, 3].map((id) => skipRow(id, 'standalone server', NO_LOAD))
  const rows = [...(await compareWithBare(context, load)), ...(await compareWithBaseline(context, load))]
  for (const peer of PEERS) {
    context.say(`  ${peer.name}`)
    rows.push(...(await compareWithPeer(context, { load, peer })))
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
      const measure = async (server: StartedServer) => {
        const pairs = await alternate(Math.min(PEER_ROUNDS, context.rounds), {
          ours: () => load.measure(server.base, [request]),
          against: () => load.measure(theirs.base, [request]),
        })
        return pickFigure(pairs, ({ rate }) => rate)
      }
      const row = compareRow(
        { ...title, what, aim: PEER_AIMS[request.method === 'GET' ? 'GET' : 'PATCH'] },
        await measure(ours),
      )
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
