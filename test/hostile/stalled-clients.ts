import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { openConnection } from './connection.ts'
import { authorize, type Draft, JSON_BODY, toBytes, toChunks } from './requests/request.ts'
import { createWorld } from './world.ts'

/** A client that stalls the server by not sending or not reading. */
export interface StalledClient {
  readonly title: string
  /** Whether the server serves over TLS. */
  readonly tls?: boolean
  /** What the server is told to do before, over the control API. */
  readonly fault?: object
  /** Resolves when the client has stalled. */
  readonly stall: (port: number) => Promise<Disposable>
}

/** Another sandbox than those whose state is looked at. */
const WORLD = createWorld('stalled')

const UPDATE = '{"quantity":5}'

export const STALLED_CLIENTS: readonly StalledClient[] = [
  { title: 'a connection without a byte', stall: (port) => sendRaw(port, '') },
  { title: 'half a request line', stall: (port) => sendRaw(port, 'GET /v1/inv') },
  { title: 'half a head', stall: (port) => sendRaw(port, toHalfHead()) },
  { title: 'half a head on a used connection', stall: (port) => sendRaw(port, toRequest(), '', toHalfHead()) },
  { title: 'an idle connection', stall: (port) => sendRaw(port, toRequest()) },
  { title: 'half a body', stall: (port) => sendRaw(port, toHalf(toUpdate())) },
  { title: 'half a body on a used connection', stall: (port) => sendRaw(port, toRequest(), toHalf(toUpdate())) },
  { title: 'half a chunk', stall: (port) => sendRaw(port, toHalf(toChunkedUpdate())) },
  { title: 'chunks without an end', stall: (port) => sendRaw(port, toChunkedUpdate().subarray(0, -5)) },
  {
    title: 'Expect: 100-continue and then no body',
    stall: (port) => sendRaw(port, toUpdate([['Expect', '100-continue']]).subarray(0, -UPDATE.length)),
  },
  {
    title: 'half of a body that was refused already',
    stall: (port) =>
      sendRaw(port, toBytes({ method: 'PATCH', target: '/v1/inventory/1', body: UPDATE }).subarray(0, -5)),
  },
  { title: 'a body that never stops', stall: sendEndlessBody },
  { title: 'a head that drips', stall: (port) => drip(port, 'X-Drip: 1\r\n', toHalfHead()) },
  { title: 'a list of 20,000 pets that is not read', stall: leaveListsUnread },
  { title: 'a pipeline whose responses are not read', stall: leavePipelineUnread },
  { title: 'an event stream', stall: (port) => sendRaw(port, toEvents()) },
  { title: 'an event stream that is not read', stall: leaveEventsUnread },
  {
    title: 'a request under a delay of a minute',
    fault: { delay: 60_000 },
    stall: (port) => sendRaw(port, toRequest()),
  },
  {
    title: 'an update under a delay of a minute',
    fault: { delay: 60_000 },
    stall: (port) => sendRaw(port, toUpdate()),
  },
  { title: 'a request that is left hanging', fault: { error: 'timeout' }, stall: (port) => sendRaw(port, toRequest()) },
  {
    title: 'a pipeline behind a request that is left hanging',
    fault: { error: 'timeout', times: 1 },
    stall: (port) => sendRaw(port, Buffer.concat([toRequest(), toUpdate(), toRequest()])),
  },
  {
    title: 'a declined upgrade',
    stall: (port) =>
      sendRaw(
        port,
        toRequest([
          ['Connection', 'Upgrade'],
          ['Upgrade', 'x'],
        ]),
        '\0',
      ),
  },
  { title: 'a FIN behind half a body', stall: finishEarly },
  { title: 'a TCP connection to the TLS port', tls: true, stall: (port) => sendRaw(port, '') },
  { title: 'half a TLS handshake', tls: true, stall: (port) => sendRaw(port, '\x16\x03\x01\x02\x00\x01') },
  { title: 'half a head over TLS', tls: true, stall: (port) => sendOverTls(port, toHalfHead()) },
  { title: 'an idle TLS connection', tls: true, stall: (port) => sendOverTls(port, toRequest()) },
]

type Lines = NonNullable<Draft['headers']>

function toRequest(headers: Lines = []): Buffer {
  return toBytes({ headers: [authorize(WORLD), ...headers] })
}

function toUpdate(headers: Lines = []): Buffer {
  const lines = [authorize(WORLD), JSON_BODY, ...headers]
  return toBytes({ method: 'PATCH', target: '/v1/inventory/1', headers: lines, body: UPDATE })
}

function toChunkedUpdate(): Buffer {
  const lines = [authorize(WORLD), JSON_BODY, ['Transfer-Encoding', 'chunked']] as const
  const body = toChunks(UPDATE, { sizes: [7] })
  return toBytes({ method: 'PATCH', target: '/v1/inventory/1', headers: lines, body })
}

function toEvents(): Buffer {
  return toBytes({ target: `/_mock/events?sandbox=${WORLD.sandbox}` })
}

function toHalfHead(): Buffer {
  return toRequest().subarray(0, -2)
}

function toHalf(bytes: Buffer): Buffer {
  return bytes.subarray(0, -5)
}

/** Sends what is given, piece by piece, each after a moment in which a response can come. */
async function sendRaw(port: number, ...pieces: readonly (Buffer | string)[]): Promise<Disposable> {
  const socket = await open(connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true }), 'connect')
  socket.on('data', () => {})
  for (const piece of pieces) await write(socket, piece)
  return toDisposable(socket)
}

async function sendOverTls(port: number, bytes: Buffer): Promise<Disposable> {
  const socket = await open(connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false }), 'secureConnect')
  socket.on('data', () => {})
  await write(socket, bytes)
  return toDisposable(socket)
}

async function sendEndlessBody(port: number): Promise<Disposable> {
  const start = toBytes({
    method: 'PATCH',
    target: '/v1/inventory/1',
    headers: [authorize(WORLD), JSON_BODY, ['Transfer-Encoding', 'chunked']],
  })
  return drip(port, '1\r\n \r\n', start)
}

async function drip(port: number, drop: string, start: Buffer): Promise<Disposable> {
  const socket = await open(connect({ host: '127.0.0.1', port, noDelay: true }), 'connect')
  socket.on('data', () => {})
  await write(socket, start)
  const timer = setInterval(() => socket.writable && socket.write(drop), 50)
  socket.on('close', () => clearInterval(timer))
  return toDisposable(socket)
}

async function leaveListsUnread(port: number): Promise<Disposable> {
  const inventory = Array.from({ length: 20_000 }, (_, index) => ({ petId: index + 1, quantity: 1, status: 'sold' }))
  using loader = await openConnection(port)
  const target = `/_mock/state?sandbox=${WORLD.sandbox}`
  loader.socket.write(toBytes({ method: 'PUT', target, headers: [JSON_BODY], body: JSON.stringify({ inventory }) }))
  const next = await loader.next('PUT')
  if (!('response' in next) || next.response.status !== 200) throw new Error('The large list was not loaded.')
  return leaveUnread(port, Buffer.concat(Array.from({ length: 20 }, () => toRequest())))
}

function leavePipelineUnread(port: number): Promise<Disposable> {
  return leaveUnread(port, Buffer.concat(Array.from({ length: 20_000 }, () => toRequest())))
}

async function leaveUnread(port: number, bytes: Buffer): Promise<Disposable> {
  const socket = await open(connect({ host: '127.0.0.1', port }), 'connect')
  socket.pause()
  // More than the buffers between take: the write never ends.
  socket.write(bytes)
  await pause()
  return toDisposable(socket)
}

async function leaveEventsUnread(port: number): Promise<Disposable> {
  const stalled = await leaveUnread(port, toEvents())
  const updates = Buffer.concat(Array.from({ length: 5000 }, () => toUpdate()))
  const other = await sendRaw(port, updates)
  return {
    [Symbol.dispose]() {
      stalled[Symbol.dispose]()
      other[Symbol.dispose]()
    },
  }
}

async function finishEarly(port: number): Promise<Disposable> {
  const socket = await open(connect({ host: '127.0.0.1', port, allowHalfOpen: true }), 'connect')
  await write(socket, toHalf(toUpdate()))
  socket.end()
  await pause()
  return toDisposable(socket)
}

function open<Connection extends Socket>(socket: Connection, event: string): Promise<Connection> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve(socket)).once('error', reject)
    // A server that ends may reset the connection: the end of the server is looked at, not that of the connection.
    socket.on('error', () => {})
  })
}

async function write(socket: Socket, bytes: Buffer | string): Promise<void> {
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  await pause()
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50))
}

function toDisposable(socket: Socket): Disposable {
  return { [Symbol.dispose]: () => void socket.destroy() }
}
