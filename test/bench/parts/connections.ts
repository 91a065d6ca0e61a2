import type { BenchContext } from '../context.ts'
import type { Load, LoadResult } from '../load/load.ts'
import {
  type Aim,
  alternate,
  compareRow,
  joinPairs,
  type Pairs,
  pickFigure,
  type Row,
  toBeAtLeast,
  toBeAtMost,
} from '../rows.ts'
import { bareProgramOfTenPets, ourProgram } from '../servers/programs.ts'
import { type ServerProgram, startServer } from '../start-server.ts'
import { assertSameAnswer, GET_LIST, PATCH_ONE, send, type WireRequest } from '../wire.ts'

const CONNECTIONS = [1, 4, 32, 256] as const

interface Case {
  readonly id: number
  readonly what: string
  readonly request: WireRequest
  readonly rate: Readonly<Record<(typeof CONNECTIONS)[number], Aim>>
  readonly p99: Aim
}

const CASES: readonly Case[] = [
  {
    id: 1,
    what: 'GET list of 10 pets',
    request: GET_LIST,
    rate: { 1: toBeAtLeast(0.9), 4: toBeAtLeast(1), 32: toBeAtLeast(1), 256: toBeAtLeast(1) },
    p99: toBeAtMost(1.5),
  },
  {
    id: 2,
    what: 'PATCH one of 10 pets',
    request: PATCH_ONE,
    rate: { 1: toBeAtLeast(0.9), 4: toBeAtLeast(0.8), 32: toBeAtLeast(1), 256: toBeAtLeast(1) },
    p99: toBeAtMost(3),
  },
]

/** Throughput and p99 of the standalone server at each number of connections, against a bare server. */
export async function compareWithBare(context: BenchContext, load: Load): Promise<Row[]> {
  const program = await bareProgramOfTenPets(context)
  return compare(context, { load, against: 'bare node:http', program, hasAims: true })
}

/** The same against another build of the package, in the same run: is this one slower than the one before? */
export async function compareWithBaseline(context: BenchContext, load: Load): Promise<Row[]> {
  if (context.baseline === undefined) return []
  const program = { ...ourProgram(), script: context.baseline }
  return compare(context, { load, against: 'baseline build', program, hasAims: false })
}

interface Opponent {
  readonly load: Load
  readonly against: string
  readonly program: ServerProgram
  readonly hasAims: boolean
}

/** What one measurement of a case is about. */
interface Point {
  readonly subject: Case
  readonly connections: (typeof CONNECTIONS)[number]
}

const POINTS: readonly Point[] = CASES.flatMap((subject) =>
  CONNECTIONS.map((connections) => ({ subject, connections })),
)

/** Two processes of one build differ by a tenth for as long as they live, so every round has its own. */
async function compare(context: BenchContext, opponent: Opponent): Promise<Row[]> {
  const rounds: Pairs<LoadResult>[][] = []
  for (let round = 1; round <= context.rounds; round += 1) {
    context.say(`  against ${opponent.against}, round ${round} of ${context.rounds}`)
    rounds.push(await measureRound(context, opponent))
  }
  return POINTS.flatMap((point, index) => {
    const pairs = joinPairs(rounds.flatMap((round) => round[index] ?? []))
    return toRows(point, pairs, opponent)
  })
}

/** Starts both servers, and measures every point once. */
async function measureRound(context: BenchContext, { load, against, program }: Opponent): Promise<Pairs<LoadResult>[]> {
  await using ours = await startServer(context.processes, ourProgram())
  await using theirs = await startServer(context.processes, program)
  const measured: Pairs<LoadResult>[] = []
  for (const { subject, connections } of POINTS) {
    const { request } = subject
    assertSameAnswer(against, { ours: await send(ours.base, request), theirs: await send(theirs.base, request) })
    const pairs = await alternate(1, {
      ours: () => load.measure(ours.base, [request], { connections }),
      against: () => load.measure(theirs.base, [request], { connections }),
    })
    measured.push(pairs)
  }
  return measured
}

function toRows(
  { subject: { id, what: name, rate, p99 }, connections }: Point,
  pairs: Pairs<LoadResult>,
  { against, hasAims }: Opponent,
): Row[] {
  const what = `${name}, ${connections} connection${connections === 1 ? '' : 's'}`
  const toRow = (figure: keyof LoadResult, { unit, suffix, aim }: { unit: string; suffix: string; aim: Aim }) =>
    compareRow(
      { id, what: what + suffix, unit, against, ...(hasAims && { aim }) },
      pickFigure(pairs, (result) => result[figure]),
    )
  return [
    toRow('rate', { unit: 'req/s', suffix: '', aim: rate[connections] }),
    toRow('p99', { unit: 'ms', suffix: ': p99', aim: p99 }),
  ]
}
