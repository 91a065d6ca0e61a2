import { connect, type Socket } from 'node:net'
import type { BenchContext } from '../context.ts'
import { readMemory } from '../processes.ts'
import { alternate, compareRow, countRow, pickFigure, type Row, toMedian, toStayBelow } from '../rows.ts'
import { ourProgram } from '../servers/programs.ts'
import { type StartedServer, startServer } from '../start-server.ts'
import { GET_LIST, toHeaders, toPatch, type WireRequest } from '../wire.ts'

const ID = 17
const STALLED = 4
const EXCHANGES = 100_000
const CONNECTIONS = 8
/** How many requests a connection sends before it waits for their responses. */
const PIPELINED = 50

interface Outcome {
  /** Resident, in MB. */
  readonly memory: number
  /** Exchanges per second. */
  readonly rate: number
}

/** What clients cost that follow the events of a sandbox and do not read them. */
export async function measureEvents(context: BenchContext): Promise<Row[]> {
  const pairs = await alternate(context.rounds, {
    ours: () => measure(context, STALLED),
    against: () => measure(context, 0),
  })
  const memory = pickFigure(pairs, (outcome) => outcome.memory)
  const more = memory.ours.map((value, round) => value - (memory.against[round] ?? Number.NaN))
  const what = `${EXCHANGES.toLocaleString('en')} exchanges beside ${STALLED} stalled event streams`
  return [
    countRow(
      { id: ID, what: `${what}: resident memory beyond none`, unit: 'MB', aim: toStayBelow(64, { unit: 'MB' }) },
      toMedian(more),
    ),
    compareRow(
      { id: ID, what: `${what}, per second`, unit: '/s', against: 'without streams' },
      pickFigure(pairs, (outcome) => outcome.rate),
    ),
  ]
}

async function measure({ processes }: BenchContext, streams: number): Promise<Outcome> {
  await using server = await startServer(processes, ourProgram())
  const stalled = await Promise.all(Array.from({ length: streams }, () => openStalled(server)))
  const begin = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, () => exchange(server, EXCHANGES / CONNECTIONS)))
  const rate = EXCHANGES / ((performance.now() - begin) / 1000)
  const memory = await readMemory(processes, server.pid)
  for (const socket of stalled) socket.destroy()
  return { memory, rate }
}

/** Follows the events, and stops reading when the stream has begun. */
async function openStalled(server: StartedServer): Promise<Socket> {
  const socket = await open(server)
  socket.write('GET /_mock/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  return socket.pause()
}

/** Sends lists and updates in turn. @throws {Error} where the response to one is none of 200. */
async function exchange(server: StartedServer, count: number): Promise<void> {
  const socket = await open(server)
  const batch = Array.from({ length: PIPELINED / 2 }, () => toText(GET_LIST) + toText(toPatch(2, 20))).join('')
  for (let sent = 0; sent < count; sent += PIPELINED) {
    socket.write(batch)
    await readResponses(socket)
  }
  socket.destroy()
}

function readResponses(socket: Socket): Promise<void> {
  let text = ''
  return new Promise((resolve, reject) => {
    const take = (piece: string): void => {
      text += piece
      const responses = text.split('HTTP/1.1 ')
      // The last of them is whole when its body, that of an update, is.
      if (responses.length <= PIPELINED || !text.endsWith('}')) return
      socket.off('data', take).off('error', reject)
      if (responses.every((each) => each === '' || each.startsWith('200 '))) resolve()
      else reject(new Error('Failed to measure: not every response was a 200.'))
    }
    socket.setEncoding('latin1').on('data', take).once('error', reject)
  })
}

async function open({ base }: StartedServer): Promise<Socket> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return socket.setNoDelay(true)
}

function toText(request: WireRequest): string {
  const { method, path, body = '' } = request
  const headers = { host: '127.0.0.1', 'content-length': String(body.length), ...toHeaders(request) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} /v1${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
