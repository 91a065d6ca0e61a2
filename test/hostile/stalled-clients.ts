import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { authorize, JSON_BODY, toBytes, toChunks, toUpdate } from './requests/request.ts'
import type { World } from './world.ts'

/** A client that stalls the server by not sending or not reading. */
export interface StalledClient {
  readonly title: string
  /** What its sandbox is told to do before. */
  readonly fault?: object
  /** What it sends, each piece after a moment in which a response can come. */
  readonly sends: (world: World) => readonly (Buffer | string)[]
  /** What it goes on sending for ever. */
  readonly drips?: string
  /** Whether it reads nothing at all. */
  readonly isDeaf?: boolean
  /** What another client sends, which reads. */
  readonly other?: (world: World) => Buffer
  /** Whether it sends a FIN at last. */
  readonly isFinished?: boolean
  /** Whether it speaks TLS. */
  readonly hasTls?: boolean
}

const PATCH = { method: 'PATCH', target: '/v1/inventory/1', body: '{"quantity":5}' }

export const STALLED_CLIENTS: readonly StalledClient[] = [
  { title: 'a connection without a byte', sends: () => [''] },
  { title: 'half a request line', sends: () => ['GET /v1/inv'] },
  { title: 'half a head', sends: (world) => [toHalfHead(world)] },
  { title: 'half a head on a used connection', sends: (world) => [toList(world), '', toHalfHead(world)] },
  { title: 'an idle connection', sends: (world) => [toList(world)] },
  { title: 'half a body', sends: (world) => [toHalf(toPatch(world))] },
  { title: 'half a body on a used connection', sends: (world) => [toList(world), toHalf(toPatch(world))] },
  { title: 'half a chunk', sends: (world) => [toHalf(toChunked(world))] },
  { title: 'chunks without an end', sends: (world) => [toChunked(world).subarray(0, -5)] },
  {
    title: 'Expect: 100-continue and then no body',
    sends: (world) => [toPatch(world, 'Expect: 100-continue').subarray(0, -PATCH.body.length)],
  },
  { title: 'half of a body that was refused already', sends: () => [toHalf(toBytes(PATCH))] },
  { title: 'a body that never stops', sends: (world) => [toChunkedHead(world)], drips: '1\r\n \r\n' },
  { title: 'a head that drips', sends: (world) => [toHalfHead(world)], drips: 'X-Drip: 1\r\n' },
  {
    title: 'lists of 20,000 pets that are not read',
    isDeaf: true,
    sends: (world) => [Buffer.concat([toLargeState(world), ...Array.from({ length: 20 }, () => toList(world))])],
  },
  {
    title: 'a pipeline whose responses are not read',
    isDeaf: true,
    // More than the buffers between take: the write never ends.
    sends: (world) => [Buffer.concat(Array.from({ length: 20_000 }, () => toList(world)))],
  },
  { title: 'an event stream', sends: (world) => [toEvents(world)] },
  {
    title: 'an event stream that is not read',
    isDeaf: true,
    sends: (world) => [toEvents(world)],
    other: (world) => Buffer.concat(Array.from({ length: 5000 }, () => toPatch(world))),
  },
  { title: 'a request under a delay of a minute', fault: { delay: 60_000 }, sends: (world) => [toList(world)] },
  { title: 'an update under a delay of a minute', fault: { delay: 60_000 }, sends: (world) => [toPatch(world)] },
  { title: 'a request that is left hanging', fault: { error: 'timeout' }, sends: (world) => [toList(world)] },
  {
    title: 'a pipeline behind a request that is left hanging',
    fault: { error: 'timeout', times: 1 },
    sends: (world) => [Buffer.concat([toList(world), toPatch(world), toList(world)])],
  },
  { title: 'a declined upgrade', sends: (world) => [toList(world, 'Connection: Upgrade', 'Upgrade: x'), '\0'] },
  { title: 'a FIN behind half a body', sends: (world) => [toHalf(toPatch(world))], isFinished: true },
]

/** Those of a server that serves over https. */
export const STALLED_TLS_CLIENTS: readonly StalledClient[] = [
  { title: 'a TCP connection', sends: () => [''] },
  { title: 'half a handshake', sends: () => ['\x16\x03\x01\x02\x00\x01'] },
  { title: 'half a head', hasTls: true, sends: (world) => [toHalfHead(world)] },
  { title: 'an idle connection', hasTls: true, sends: (world) => [toList(world)] },
]

function toList(world: World, ...headers: readonly string[]): Buffer {
  return toBytes({ headers: [authorize(world), ...headers] })
}

function toPatch(world: World, ...headers: readonly string[]): Buffer {
  return headers.length === 0
    ? toUpdate(world, '1', 5n)
    : toBytes({ ...PATCH, headers: [authorize(world), JSON_BODY, ...headers] })
}

function toChunkedHead(world: World): Buffer {
  return toBytes({ ...PATCH, body: '', headers: [authorize(world), JSON_BODY, 'Transfer-Encoding: chunked'] })
}

function toChunked(world: World): Buffer {
  return Buffer.concat([toChunkedHead(world), toChunks(PATCH.body, { sizes: [7] })])
}

function toEvents({ sandbox }: World): Buffer {
  return toBytes({ target: `/_mock/events?sandbox=${sandbox}` })
}

function toLargeState({ sandbox }: World): Buffer {
  const inventory = Array.from({ length: 20_000 }, (_, index) => ({ petId: index + 1, quantity: 1, status: 'sold' }))
  const target = `/_mock/state?sandbox=${sandbox}`
  return toBytes({ method: 'PUT', target, headers: [JSON_BODY], body: JSON.stringify({ inventory }) })
}

function toHalfHead(world: World): Buffer {
  return toList(world).subarray(0, -2)
}

function toHalf(bytes: Buffer): Buffer {
  return bytes.subarray(0, -5)
}

/** Resolves when the client has stalled. */
export async function stall(
  { sends, drips, other, isDeaf = false, isFinished = false, hasTls = false }: StalledClient,
  { port, world }: { port: number; world: World },
): Promise<Disposable> {
  const socket = await open(port, hasTls)
  if (isDeaf) socket.pause()
  else socket.resume()
  for (const piece of sends(world)) await write(socket, piece)
  const reader = other && (await open(port, hasTls)).resume()
  if (other && reader) await write(reader, other(world))
  const timer = setInterval(() => drips && socket.writable && socket.write(drips), 50)
  if (isFinished) socket.end()
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      socket.destroy()
      reader?.destroy()
    },
  }
}

async function open(port: number, hasTls: boolean): Promise<Socket> {
  const address = { host: '127.0.0.1', port }
  const socket = hasTls
    ? connectTls({ ...address, rejectUnauthorized: false })
    : connect({ ...address, noDelay: true, allowHalfOpen: true })
  await once(socket, hasTls ? 'secureConnect' : 'connect')
  // A server that ends may reset the connection: the end of the server is looked at, not that of the connection.
  return socket.on('error', () => {})
}

async function write(socket: Socket, bytes: Buffer | string): Promise<void> {
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  await sleep(50)
}
