import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { beforeAll, describe, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { QUIET_IO } from '../cli/run-cli.ts'
import { createTlsFlags } from '../wire/certificate.ts'
import { followSocket, type HostileConnection, openConnection } from './connection.ts'
import { JSON_BODY, toBytes, toUpdate } from './requests/request.ts'
import { startServer } from './server.ts'
import { STALLED_CLIENTS, STALLED_TLS_CLIENTS, stall } from './stalled-clients.ts'
import { createWorld, type World } from './world.ts'

let folder: string
let tlsFlags: readonly string[]
beforeAll(async () => {
  const certificate = await createTlsFlags()
  tlsFlags = certificate.flags
  folder = await mkdtemp(join(tmpdir(), 'petstore-mock-end-'))
  return async () => {
    await certificate[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  }
})

describe.concurrent('a signal ends the server and keeps what was acknowledged', () => {
  test.for([
    ['http', STALLED_CLIENTS],
    ['https', STALLED_TLS_CLIENTS],
  ] as const)('beside all clients that stall it over %s', async ([scheme, clients], { expect }) => {
    const hasTls = scheme === 'https'
    const file = join(folder, `${scheme}.json`)
    await using server = await startServer('--state', file, '--grace', '500ms', ...(hasTls ? tlsFlags : []))
    const world = createWorld('kept')
    using connection = hasTls ? await openOverTls(server.port) : await openConnection(server.port)
    await update(connection, world, 5)
    using stalled = new DisposableStack()
    for (const [index, client] of clients.entries()) {
      const own = createWorld(`stalled-${index}`)
      if (client.fault !== undefined) await addFault(connection, own, client.fault)
      stalled.use(await stall(client, { port: server.port, world: own }))
      await update(connection, world, 5)
    }
    expect(await server.stop('SIGTERM')).toMatchObject({ code: 0, signal: null })
    expect(server.stderr).toEqual([])
    expect(await findLostUpdates(file, [world])).toEqual([])
  })

  test.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('under load: %s', async (signal, { expect }) => {
    const file = join(folder, `${signal}.json`)
    await using server = await startServer('--state', file, '--grace', '500ms')
    const worlds = Array.from({ length: 8 }, (_, lane) => createWorld(`load-${lane}`))
    let count = 0
    const lanes = worlds.map(async (world) => {
      using connection = await openConnection(server.port)
      // The last update gets no response; it may have taken place.
      while (await update(connection, world, 1)) count += 1
    })
    while (count < 400) await new Promise((resolve) => setTimeout(resolve, 5))
    const end = await server.stop(signal)
    await Promise.all(lanes)
    expect(end).toMatchObject({ code: 0, signal: null })
    expect(server.stderr).toEqual([])
    expect(await findLostUpdates(file, worlds)).toEqual([])
  })
})

async function openOverTls(port: number): Promise<HostileConnection> {
  const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  return followSocket(socket)
}

let turn = 0

/** Sends so many updates, each behind the response to the one before. False where the connection ended meanwhile. */
async function update(connection: HostileConnection, world: World, count: number): Promise<boolean> {
  for (let sent = 0; sent < count; sent += 1) {
    turn += 1
    const [petId, quantity] = [String(1 + (turn % 10)), BigInt(turn)]
    world.updatePerhaps(petId, quantity)
    connection.socket.write(toUpdate(world, petId, quantity))
    const next = await connection.next('PATCH')
    if (!('response' in next)) return false
    if (next.response.status !== 200) throw new Error(`An update got ${next.response.status} ${next.response.body}`)
    world.update(petId, quantity)
  }
  return true
}

async function addFault(connection: HostileConnection, { sandbox }: World, fault: object): Promise<void> {
  const target = `/_mock/faults?sandbox=${sandbox}`
  connection.socket.write(toBytes({ method: 'POST', target, headers: [JSON_BODY], body: JSON.stringify(fault) }))
  const next = await connection.next('POST')
  if (!('response' in next) || next.response.status !== 201) throw new Error('The fault was not added.')
}

/** Starts a server from a state file, like the next run would. @returns The differences. */
async function findLostUpdates(file: string, worlds: readonly World[]): Promise<string[]> {
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
  const wrong = await Promise.all(
    worlds.map(async (world) => {
      const headers = { authorization: `Bearer ${world.token}` }
      return world.compare(await (await fetch(`${url}/inventory`, { headers })).text())
    }),
  )
  controller.abort()
  await done
  return wrong.filter((each) => each !== undefined)
}
