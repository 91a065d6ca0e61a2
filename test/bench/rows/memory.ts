import { rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { BUILD } from '../builds.ts'
import { atMost, atMostMore, type Comparison } from '../compare.ts'
import { readMemory } from '../processes.ts'
import type { StateFigures, StateStep } from '../scripts/time-state.ts'
import { ourProgram, type StartedServer, startServer } from '../servers.ts'
import type { Tools } from '../tools.ts'
import { GET_LIST, toHeaders, toPatch, type WireRequest } from '../wire.ts'

/** What is kept, and what it costs to keep it: rows 16 and 17. */
export function compareMemory(tools: Tools): Comparison[] {
  return [...[100, 10_000].map((changes) => compareState(tools, changes)), compareEvents(tools)]
}

const SANDBOXES = 40
const PETS = 10_000

/** A save to the file of `--state` and the restart from it. It is measured from the sources, also beside a baseline. */
function compareState({ processes, folder, rounds }: Tools, changes: number): Comparison {
  const file = join(folder, 'state.json')
  const run = async (step: StateStep): Promise<StateFigures> => {
    const args = ['--expose-gc', await processes.compile('time-state'), step, file]
    const counts = [SANDBOXES, changes, PETS].map(String)
    return JSON.parse(await processes.run(process.execPath, [...args, ...counts])) as StateFigures
  }
  return {
    id: 16,
    what: `${SANDBOXES} sandboxes with ${changes.toLocaleString('en')} changes over ${PETS.toLocaleString('en')} pets`,
    against: 'one JSON.stringify',
    rounds: Math.min(5, rounds),
    figures: {
      time: { what: ', save and load', unit: 'ms', aim: atMost(3) },
      saved: { what: ', memory after the save', unit: 'MB', aim: atMost(2) },
      loaded: { what: ', memory after the restart', unit: 'MB', aim: atMost(2) },
    },
    ours: () => ({
      async measure() {
        await rm(file, { force: true })
        const [saved, loaded] = [await run('save'), await run('load')]
        return { time: saved.ms + loaded.ms, saved: saved.after, loaded: loaded.after }
      },
    }),
    theirs: () => ({
      async measure() {
        const { ms, before } = await run('stringify')
        return { time: ms, saved: before, loaded: before }
      },
    }),
  }
}

const STALLED = 4
const EXCHANGES = 100_000
const CONNECTIONS = 8
/** How many requests a connection sends before it waits for their responses. */
const PIPELINED = 50

/** What clients cost that follow the events of a sandbox and do not read them. */
function compareEvents(tools: Tools): Comparison {
  return {
    id: 17,
    what: `${EXCHANGES.toLocaleString('en')} exchanges beside ${STALLED} stalled event streams`,
    against: 'without streams',
    rounds: tools.rounds,
    figures: {
      memory: { what: ', resident memory', unit: 'MB', aim: atMostMore(64, 'MB') },
      rate: { what: ', per second', unit: '/s' },
    },
    ours: (build) => ({
      measure: () => exchangeAll(tools, { streams: STALLED, program: ourProgram(build) }),
    }),
    theirs: () => ({ measure: () => exchangeAll(tools, { streams: 0, program: ourProgram(BUILD) }) }),
  }
}

async function exchangeAll(
  { processes }: Tools,
  { streams, program }: { streams: number; program: ReturnType<typeof ourProgram> },
): Promise<{ memory: number; rate: number }> {
  await using server = await startServer(processes, program)
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
