import { writeHaproxyConfig } from '../../write-haproxy-config.ts'
import { alternate, pickFigure } from '../alternate.ts'
import type { BenchContext } from '../context.ts'
import { findFreePort } from '../find-free-port.ts'
import { hasProgram } from '../has-program.ts'
import { compareRow, type Row, skipRow } from '../row.ts'
import { send } from '../send.ts'
import { ourProgram } from '../servers/programs.ts'
import { startServer } from '../start-server.ts'
import { BASE_PATH, GET_LIST, toPatch, type WireRequest } from '../wire.ts'

const TITLE = { id: 16, what: '3 replicas behind HAProxy, 100 sandboxes', unit: '/s', against: '1 replica' } as const
const SANDBOXES = 100
const REPLICAS = 3

/** How many requests replicas answer together. On two cores they share those with HAProxy and with the load. */
export async function measureReplicas(context: BenchContext): Promise<Row[]> {
  const { load, rounds } = context
  if (load === undefined) return [skipRow(TITLE.id, TITLE.what, 'there is neither wrk nor autocannon')]
  if (!hasProgram('haproxy')) return [skipRow(TITLE.id, TITLE.what, 'there is no haproxy')]
  context.say(`  ${TITLE.what}`)
  await using running = new AsyncDisposableStack()
  const ports: number[] = []
  for (let replica = 0; replica < REPLICAS; replica += 1) {
    const server = running.use(await startServer(context.processes, ourProgram()))
    ports.push(Number(new URL(server.base).port))
  }
  const one = await startHaproxy(context, running, ports.slice(0, 1))
  const three = await startHaproxy(context, running, ports)
  const requests = toRequests()
  const pairs = await alternate(rounds, {
    ours: () => load.measure(three, requests),
    against: () => load.measure(one, requests),
  })
  return [
    compareRow(
      TITLE,
      pickFigure(pairs, ({ rate }) => rate),
    ),
  ]
}

/** Gives the base address. */
async function startHaproxy(
  { processes, folder }: BenchContext,
  running: AsyncDisposableStack,
  replicas: readonly number[],
): Promise<string> {
  const port = await findFreePort()
  const config = await writeHaproxyConfig(folder, { port, replicas })
  running.use(processes.startProgram('haproxy', ['-db', '-f', config]))
  const base = `http://127.0.0.1:${port}${BASE_PATH}`
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if ((await send(base, GET_LIST).catch(() => undefined))?.status === 200) return base
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('Failed to start HAProxy: no answer with status 200 came.')
}

function toRequests(): [WireRequest, ...WireRequest[]] {
  const requests = Array.from({ length: SANDBOXES }, (_, turn) => {
    const apiKey = `demo-key~test-${turn}`
    return [
      { ...toPatch(1 + (turn % 10), turn), apiKey },
      { ...GET_LIST, apiKey },
    ]
  }).flat()
  return [GET_LIST, ...requests]
}
