import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { QUIET_IO } from '../cli/run-cli.ts'
import { makeFolder } from '../cli/state-folder.ts'
import { openRawClient, type RawClient } from '../wire/raw-client.ts'
import { type Draft, JSON_BODY, KEY, LIST, toBytes, toUpdate } from './requests/request.ts'
import { startServer } from './server.ts'
import { createTwin, type Twin } from './twin.ts'

/** A client that stalls the server by not sending or not reading. */
interface StalledClient {
  readonly title: string
  /** What its sandbox is told to do before. */
  readonly fault?: object
  /** What it sends, each piece after a moment in which a response can come. */
  readonly sends: readonly (Draft | string)[]
  /** How many bytes of all that it keeps back. */
  readonly keeps?: number
  /** What it goes on sending for ever. */
  readonly drips?: string
  /** Whether it reads nothing at all. */
  readonly isDeaf?: boolean
  /** What another client sends, which reads. */
  readonly other?: readonly Draft[]
}

const PATCH = toUpdate(1, 5)
const CHUNKED: Draft = { ...PATCH, chunks: { sizes: [7] } }
const EVENTS: Draft = { target: '/_mock/events?sandbox=SANDBOX' }
const PETS = Array.from({ length: 20_000 }, (_, index) => `{"petId":${index + 1},"quantity":1,"status":"sold"}`)
const LOAD: Draft = {
  method: 'PUT',
  target: '/_mock/state?sandbox=SANDBOX',
  headers: [JSON_BODY],
  body: `{"inventory":[${PETS}]}`,
}

const STALLED_CLIENTS: readonly StalledClient[] = [
  { title: 'a connection without a byte', sends: [] },
  { title: 'half a head', sends: [LIST], keeps: 2 },
  { title: 'half a head on a used connection', sends: [LIST, 'GET /v1/inv'] },
  { title: 'an idle connection', sends: [LIST] },
  { title: 'half a body', sends: [PATCH], keeps: 5 },
  { title: 'chunks without an end', sends: [CHUNKED], keeps: 5 },
  { title: '100-continue and then no body', sends: [{ ...PATCH, headers: [KEY, 'Expect: 100-continue'] }], keeps: 14 },
  { title: 'half of a body that was refused already', sends: [{ ...PATCH, headers: [] }], keeps: 5 },
  { title: 'a body that never stops', sends: [CHUNKED], keeps: 5, drips: '1\r\n \r\n' },
  { title: 'a head that drips', sends: [LIST], keeps: 2, drips: 'X-Drip: 1\r\n' },
  { title: 'lists of 20,000 pets that are not read', isDeaf: true, sends: [LOAD, ...Array<Draft>(20).fill(LIST)] },
  {
    title: 'an event stream that is not read',
    isDeaf: true,
    sends: [EVENTS],
    other: Array<Draft>(5000).fill(PATCH),
  },
  { title: 'an update under a delay of a minute', fault: { delay: 60_000 }, sends: [PATCH] },
  {
    title: 'a pipeline behind a request that is left hanging',
    fault: { error: 'timeout', times: 1 },
    sends: [LIST, PATCH, LIST],
  },
]

test('SIGTERM ends the server beside all clients that stall it, and keeps what was acknowledged', async () => {
  const file = join(await makeFolder(), 'state.json')
  await using server = await startServer('--state', file, '--grace', '200ms')
  const twin = createTwin()
  using client = await openRawClient(server.port)
  await update(client, twin, 5)
  using stalled = new DisposableStack()
  const stallOne = async ({ title, fault, ...stalling }: StalledClient): Promise<void> => {
    const { sandbox } = createTwin()
    using controller = await openRawClient(server.port)
    if (fault !== undefined) {
      const target = `/_mock/faults?sandbox=${sandbox}`
      const body = JSON.stringify(fault)
      await controller.send(toBytes({ method: 'POST', target, headers: [JSON_BODY], body }, sandbox))
      expect((await controller.next()).status, title).toBe(201)
    }
    stalled.use(await stall(server.port, sandbox, stalling))
    expect(await update(controller, createTwin(), 5), title).toBe(true)
  }
  await Promise.all(STALLED_CLIENTS.map(stallOne))
  expect(await update(client, twin, 5)).toBe(true)
  expect(await server.stop('SIGTERM')).toMatchObject({ code: 0, signal: null })
  expect(server.stderr).toEqual([])
  await expectKept(file, [twin])
})

// Other signals: test/programs/end.test.ts.
test('SIGTERM under load keeps what was acknowledged', async () => {
  const file = join(await makeFolder(), 'state.json')
  await using server = await startServer('--state', file, '--grace', '200ms')
  const twins = Array.from({ length: 8 }, () => createTwin())
  let count = 0
  const { promise: isBusy, resolve } = Promise.withResolvers<void>()
  const lanes = twins.map(async (twin) => {
    using client = await openRawClient(server.port)
    while (await update(client, twin, 1)) {
      count += 1
      if (count === 400) resolve()
    }
  })
  await isBusy
  expect(await server.stop('SIGTERM')).toMatchObject({ code: 0, signal: null })
  await Promise.all(lanes)
  expect(server.stderr).toEqual([])
  await expectKept(file, twins)
})

let turn = 0

/** Sends so many updates, each behind the response to the one before. False where the connection ended meanwhile. */
async function update(client: RawClient, twin: Twin, count: number): Promise<boolean> {
  for (let sent = 0; sent < count; sent += 1) {
    turn += 1
    const request = toUpdate(1 + (turn % 10), turn)
    client.socket.write(toBytes(request, twin.sandbox))
    const response = await client.next().catch(() => undefined)
    if (response === undefined) {
      await twin.skip([request])
      return false
    }
    expect(await twin.compare(request, response)).toBeUndefined()
  }
  return true
}

/** Resolves when the client has stalled. */
async function stall(
  port: number,
  sandbox: string,
  { sends, keeps = 0, drips, other, isDeaf }: Omit<StalledClient, 'title'>,
): Promise<Disposable> {
  const socket = await open(port)
  if (isDeaf !== true) socket.resume()
  const toPiece = (draft: Draft | string) => (typeof draft === 'string' ? Buffer.from(draft) : toBytes(draft, sandbox))
  const last = sends.length - 1
  for (const [index, draft] of sends.entries()) {
    const piece = toPiece(draft)
    socket.write(piece.subarray(0, piece.byteLength - (index === last ? keeps : 0)))
    if (isDeaf !== true) await sleep(50)
  }
  const reader = other && (await open(port)).resume()
  reader?.write(Buffer.concat(other?.map(toPiece) ?? []))
  await sleep(50)
  const timer = setInterval(() => drips && socket.writable && socket.write(drips), 50)
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      socket.destroy()
      reader?.destroy()
    },
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true })
  await once(socket, 'connect')
  // A server that ends may reset the connection: the end of the server is looked at, not that of the connection.
  return socket.on('error', () => {})
}

/** Starts a server from a state file, like the next run would. */
async function expectKept(file: string, twins: readonly Twin[]): Promise<void> {
  const controller = new AbortController()
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>()
  const errors: string[] = []
  const done = main(['serve', '--port', '0', '--log', 'json', '--state', file], {
    ...QUIET_IO,
    out: (line) => resolve((JSON.parse(line) as { url: string }).url),
    err: (line) => errors.push(line),
    stop: controller.signal,
  })
  void done.then((code) => reject(new Error(`The state was not taken up (${code}): ${errors.join('\n')}`)))
  const url = await listening
  for (const twin of twins) {
    const headers = { authorization: `Bearer ${twin.token}` }
    expect(await twin.compareList(await (await fetch(`${url}/inventory`, { headers })).text())).toBeUndefined()
  }
  controller.abort()
  await done
}
