import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { toBeAtMost, toStayBelow } from '../aim.ts'
import { compileScript } from '../compile-script.ts'
import type { BenchContext } from '../context.ts'
import type { LoadResult } from '../load/load.ts'
import { compareRow, countRow, type Row, skipRow } from '../row.ts'
import type { Condition } from '../scripts/watch.ts'
import { send } from '../send.ts'
import { ourProgram } from '../servers/programs.ts'
import { type StartedServer, startServer } from '../start-server.ts'
import { toSpreadPetId } from '../subjects/to-spread-pet-id.ts'
import { GET_LIST, toPatch, type WireRequest } from '../wire.ts'

const ID = 15
const MILLION = 1_000_000
const SANDBOXES = 10_000
const PETS_OF_SANDBOXES = 10
/** How many of the pets are updated in turn. */
const UPDATED = 1000
/** Between two lists of a million pets. */
const PAUSE_MS = 3000

interface Case {
  readonly what: string
  readonly pets: number
  readonly requests: readonly [WireRequest, ...WireRequest[]]
  /** Whether the whole list is asked for too, now and then. */
  readonly lists: boolean
}

/** Whether a server under load grows, loses a request, or is held by one of them. */
export async function measureSteady(context: BenchContext): Promise<Row[]> {
  const rows: Row[] = []
  for (const each of [toMillion(), toSandboxes()]) rows.push(...(await measureCase(context, each)))
  return rows
}

function toMillion(): Case {
  const patches = Array.from({ length: UPDATED }, (_, turn) => toPatch(toSpreadPetId(turn, MILLION), turn % 100))
  return { what: '1,000,000 pets', pets: MILLION, requests: [toPatch(1, 1), ...patches], lists: true }
}

/** An update and the list, in each sandbox in turn. */
function toSandboxes(): Case {
  const requests = Array.from({ length: SANDBOXES }, (_, turn) => {
    const apiKey = `demo-key~test-${turn}`
    return [
      { ...toPatch(1 + (turn % PETS_OF_SANDBOXES), turn % 100), apiKey },
      { ...GET_LIST, apiKey },
    ]
  }).flat()
  return { what: '10,000 sandboxes', pets: PETS_OF_SANDBOXES, requests: [GET_LIST, ...requests], lists: false }
}

async function measureCase(context: BenchContext, { what, pets, requests, lists }: Case): Promise<Row[]> {
  const { load, processes, steadySeconds } = context
  if (load === undefined) return [skipRow(ID, what, 'there is neither wrk nor autocannon')]
  context.say(`  ${what}, ${steadySeconds} s under load`)
  const watch = await compileScript(new URL('../scripts/watch.ts', import.meta.url), context.folder)
  const program = { ...ourProgram(['--pets', String(pets)], toPatch(pets, 1)), watch }
  await using server = await startServer(processes, program)
  const seconds = Math.ceil(steadySeconds / 2)
  // Forgets the start.
  await ask(server)
  const first = await holdUnder(server, lists, () => load.measure(server.base, requests, { duration: seconds }))
  const then = await holdUnder(server, lists, () => load.measure(server.base, requests, { duration: steadySeconds }))
  const toLongest = (key: 'longestHold' | 'longestCollection'): number =>
    Math.max(first.condition[key], then.condition[key])
  const title = (text: string) => ({ id: ID, what: `${what}, ${steadySeconds} s: ${text}` })
  const memory = { ours: [then.condition.memory / 1024 ** 2], against: [first.condition.memory / 1024 ** 2] }
  return [
    countRow(
      { ...title('event loop held at most'), unit: 'ms', aim: toStayBelow(50, { unit: 'ms' }) },
      toLongest('longestHold'),
    ),
    countRow({ ...title('the same while V8 collects garbage'), unit: 'ms' }, toLongest('longestCollection')),
    compareRow({ ...title('memory'), unit: 'MB', against: 'after warm-up', aim: toBeAtMost(1.1) }, memory),
    countRow({ ...title('requests, none lost'), unit: '/s' }, then.rate),
  ]
}

/** @throws {Error} where a request was lost: the load tells. */
async function holdUnder(
  server: StartedServer,
  lists: boolean,
  load: () => Promise<LoadResult>,
): Promise<{ rate: number; condition: Condition }> {
  const end = new AbortController()
  const reading = lists ? readLists(server, end.signal) : Promise.resolve()
  try {
    const { rate } = await load()
    return { rate, condition: await ask(server) }
  } finally {
    end.abort()
    await reading
  }
}

async function readLists({ base }: StartedServer, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { status, body } = await send(base, GET_LIST)
    if (status !== 200 || !body.includes(`"petId":${MILLION},`)) throw new Error('Failed to list a million pets.')
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
  }
}

async function ask({ child }: StartedServer): Promise<Condition> {
  child.send('condition')
  const [condition] = await once(child, 'message')
  return condition as Condition
}
