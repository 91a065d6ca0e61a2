import { BUILD, type Build } from '../builds.ts'
import { type Aim, atLeast, atMost, type Comparison, type Side } from '../compare.ts'
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
}

const CASES: readonly Case[] = [
  {
    id: 1,
    what: 'GET list of 10 pets',
    request: GET_LIST,
    rate: { 1: atLeast(0.9), 4: atLeast(1), 32: atLeast(1), 256: atLeast(1) },
    p99: atMost(1.5),
  },
  {
    id: 2,
    what: 'PATCH one of 10 pets',
    request: PATCH_ONE,
    rate: { 1: atLeast(0.9), 4: atLeast(0.8), 32: atLeast(1), 256: atLeast(1) },
    p99: atMost(3),
  },
]

/** What the standalone server can take: rows 1, 2 and, with many pets, 8. */
export function compareRequests(tools: Tools): Comparison[] {
  return [...CASES.flatMap((each) => compareWithBare(tools, each)), compareManyPets(tools)]
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
    answer: readAnswer(await send(server.base, request)),
    async measure() {
      await using fresh = await startServer(processes, program)
      await load.measure(fresh.base, [request], Number(connections))
      return await load.measure(fresh.base, [request], Number(connections))
    },
  }
}

const LARGE = 1_000_000
const SMALL = 10
/** How many pets are updated in turn. */
const UPDATED = 1000

/** One process is measured again and again. */
function compareManyPets({ processes, load, rounds }: Tools): Comparison {
  const start = async (build: Build, pets: number): Promise<Side> => {
    const patches = Array.from({ length: UPDATED }, (_, turn) => toPatch(toSpreadPetId(turn, pets), turn % 100))
    // The first response is that to the update of the last pet: then all are there.
    const server = await startServer(processes, ourProgram(build, ['--pets', String(pets)], toPatch(pets, 1)))
    return {
      answer: readAnswer(await send(server.base, toPatch(1, 1))),
      measure: async () => ({ time: 1e6 / (await load.measure(server.base, [toPatch(1, 1), ...patches])).rate }),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  }
  return {
    id: 8,
    what: 'PATCH at 1,000,000 pets, over HTTP',
    against: '10 pets',
    rounds,
    figures: { time: { unit: 'µs', aim: atMost(1.5) } },
    ours: (build) => start(build, LARGE),
    theirs: () => start(BUILD, SMALL),
  }
}

function readAnswer({ status, body }: WireResponse): unknown {
  return { status, body: body.toString() }
}
