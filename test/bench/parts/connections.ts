import { type Aim, toBeAtLeast, toBeAtMost } from '../aim.ts'
import { alternate, pickFigure } from '../alternate.ts'
import { assertSameAnswer } from '../assert-same-answer.ts'
import type { BenchContext } from '../context.ts'
import type { Load } from '../load/load.ts'
import { compareRow, type Row } from '../row.ts'
import { send } from '../send.ts'
import { bareProgramOfTenPets, ourProgram } from '../servers/programs.ts'
import { type ServerProgram, startServer } from '../start-server.ts'
import { GET_LIST, PATCH_ONE, type WireRequest } from '../wire.ts'

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

async function compare(context: BenchContext, { load, against, program, hasAims }: Opponent): Promise<Row[]> {
  await using ours = await startServer(context.processes, ourProgram())
  await using theirs = await startServer(context.processes, program)
  const rows: Row[] = []
  for (const { id, request, rate, p99, ...title } of CASES) {
    assertSameAnswer(against, { ours: await send(ours.base, request), theirs: await send(theirs.base, request) })
    for (const connections of CONNECTIONS) {
      const what = `${title.what}, ${connections} connection${connections === 1 ? '' : 's'}`
      context.say(`  ${what}, against ${against}`)
      const pairs = await alternate(context.rounds, {
        ours: () => load.measure(ours.base, [request], { connections }),
        against: () => load.measure(theirs.base, [request], { connections }),
      })
      const toRow = (figure: 'rate' | 'p99', { unit, suffix, aim }: { unit: string; suffix: string; aim: Aim }) =>
        compareRow(
          { id, what: what + suffix, unit, against, ...(hasAims && { aim }) },
          pickFigure(pairs, (result) => result[figure]),
        )
      rows.push(toRow('rate', { unit: 'req/s', suffix: '', aim: rate[connections] }))
      rows.push(toRow('p99', { unit: 'ms', suffix: ': p99', aim: p99 }))
    }
  }
  return rows
}
