import { BUILD, type Build } from '../builds.ts'
import { type Aim, atLeast, atMost, type Comparison, type Figures, type Side } from '../compare.ts'
import type { LoadFigures } from '../load.ts'
import { isInstalled, PEERS, type Peer, toLabel } from '../peers.ts'
import { bareProgram, ourProgram, type ServerProgram, startServer } from '../servers.ts'
import type { Tools } from '../tools.ts'
import { GET_LIST, PATCH_ONE, send, toPatch, toSpreadPetId, type WireRequest, type WireResponse } from '../wire.ts'

interface Case {
  readonly id: number
  readonly what: string
  readonly request: WireRequest
  /** By the number of connections. */
  readonly rate: Readonly<Record<number, Aim>>
  readonly p99: Aim
  /** Against other people's servers. */
  readonly ofPeers: Aim
}

const CASES: readonly Case[] = [
  {
    id: 1,
    what: 'GET list of 10 pets',
    request: GET_LIST,
    rate: { 1: atLeast(0.9), 4: atLeast(1), 32: atLeast(1), 256: atLeast(1) },
    p99: atMost(1.5),
    ofPeers: atLeast(7),
  },
  {
    id: 2,
    what: 'PATCH one of 10 pets',
    request: PATCH_ONE,
    rate: { 1: atLeast(0.9), 4: atLeast(0.8), 32: atLeast(1), 256: atLeast(1) },
    p99: atMost(3),
    ofPeers: atLeast(3),
  },
]
const PEER_ROUNDS = 5

/** What the standalone server can take: rows 1, 2, 3 and, with many pets, 8. */
export function compareRequests(tools: Tools): Comparison[] {
  const peers = PEERS.filter(isInstalled)
  if (peers.length < PEERS.length) console.error('For all peers of row 3: npm ci --prefix test/bench')
  return [
    ...CASES.flatMap((each) => compareWithBare(tools, each)),
    ...peers.flatMap((peer) => CASES.flatMap((each) => compareWithPeer(tools, { ...each, peer }))),
    compareManyPets(tools),
  ]
}

/** Throughput and p99 at each number of connections. */
function compareWithBare(tools: Tools, { id, what, request, rate, p99 }: Case): Comparison[] {
  return Object.entries(rate).map(([connections, aim]) => {
    const measure = (program: ServerProgram) => measureAfresh(tools, { program, request, connections })
    return {
      id,
      what: `${what}, connections: ${connections}`,
      against: 'bare node:http',
      rounds: tools.rounds,
      figures: { rate: { unit: 'req/s', aim }, p99: { what: ', p99', unit: 'ms', aim: p99 } },
      ours: (build) => measure(ourProgram(build)),
      theirs: async () => measure(await bareProgram(tools, { build: BUILD })),
    }
  })
}

/** Two processes of one build differ by a tenth for as long as they live, so every round has its own. */
async function measureAfresh(
  { processes, load }: Tools,
  { program, request, connections }: { program: ServerProgram; request: WireRequest; connections: string },
): Promise<Side> {
  await using server = await startServer(processes, program)
  return {
    answer: toAnswer(await send(server.base, request)),
    async measure() {
      await using fresh = await startServer(processes, program)
      await load.measure(fresh.base, [request], Number(connections))
      return await load.measure(fresh.base, [request], Number(connections))
    },
  }
}

/** A bare server is compared with json-server, too: nothing that is built on `node:http` can be much faster. */
function compareWithPeer(tools: Tools, { what, request, ofPeers, peer }: Case & { peer: Peer }): Comparison[] {
  const toComparison = (title: string, toProgram: (build: Build) => Promise<ServerProgram>, aim?: Aim): Comparison => ({
    id: 3,
    what: title,
    against: toLabel(peer),
    rounds: Math.min(PEER_ROUNDS, tools.rounds),
    figures: { rate: { unit: 'req/s', ...(aim !== undefined && { aim }) } },
    ours: async (build) => keepMeasuring(tools, { program: await toProgram(build), requests: [request] }),
    theirs: () => keepMeasuring(tools, { program: peer.toProgram(tools.folder), requests: [request] }),
  })
  const ours = toComparison(what, async (build) => ourProgram(build), ofPeers)
  const bare = toComparison(`${what}, bare node:http`, (build) => bareProgram(tools, { build }))
  return peer.name === 'json-server' ? [ours, bare] : [ours]
}

interface Work {
  readonly program: ServerProgram
  readonly requests: readonly [WireRequest, ...WireRequest[]]
  readonly toFigures?: (figures: LoadFigures) => Figures
}

/** Measures one process again and again. */
async function keepMeasuring(
  { processes, load }: Tools,
  { program, requests, toFigures = (figures) => figures }: Work,
): Promise<Side> {
  const server = await startServer(processes, program)
  return {
    answer: toAnswer(await send(server.base, requests[0])),
    measure: async () => toFigures(await load.measure(server.base, requests)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** Peers indent their JSON. */
function toAnswer({ status, body }: WireResponse): unknown {
  return { status, body: JSON.parse(body.toString()) as unknown }
}

const LARGE = 1_000_000
const SMALL = 10
/** How many pets are updated in turn. */
const UPDATED = 1000

function compareManyPets(tools: Tools): Comparison {
  const start = (build: Build, pets: number): Promise<Side> => {
    const patches = Array.from({ length: UPDATED }, (_, turn) => toPatch(toSpreadPetId(turn, pets), turn % 100))
    // The first response is that to the update of the last pet: then all are there.
    const program = ourProgram(build, ['--pets', String(pets)], toPatch(pets, 1))
    return keepMeasuring(tools, {
      program,
      requests: [toPatch(1, 1), ...patches],
      toFigures: ({ rate }) => ({ time: 1e6 / rate }),
    })
  }
  return {
    id: 8,
    what: 'PATCH at 1,000,000 pets, over HTTP',
    against: '10 pets',
    rounds: tools.rounds,
    figures: { time: { unit: 'µs', aim: atMost(1.5) } },
    ours: (build) => start(build, LARGE),
    theirs: () => start(BUILD, SMALL),
  }
}
