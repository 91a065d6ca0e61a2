import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { createTlsFlags } from '../wire/certificate.ts'
import { findLostUpdates } from './read-state.ts'
import { type HostileServer, startServer } from './server.ts'
import { STALLED_CLIENTS } from './stalled-clients.ts'
import { openUpdater, type Updater } from './updater.ts'
import { createWorld, type World } from './world.ts'

/** A server is a process: a few of them at once, or none gets on. */
const takeSlot = createSlots(3)
const TIMEOUT = 120_000

let folder: string
let files = 0
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

describe.concurrent('a signal ends the server and keeps what was acknowledged, beside', () => {
  test.for(STALLED_CLIENTS)('$title', { timeout: TIMEOUT }, async ({ tls = false, fault, stall }, { expect }) => {
    using _slot = await takeSlot()
    const file = join(folder, `${files++}.json`)
    await using server = await startServer('--state', file, '--grace', '500ms', ...(tls ? tlsFlags : []))
    const world = createWorld('kept')
    using updater = await openUpdater(server.port, { world, tls })
    await updater.update(5)
    if (fault !== undefined) await updater.addFault('stalled', fault)
    using _client = await stall(server.port)
    await updater.update(5)
    expect(await server.stop('SIGTERM')).toMatchObject({ code: 0, signal: null })
    expect(server.stderr).toEqual([])
    expect(await findLostUpdates(file, [world])).toEqual([])
  })
})

describe.concurrent('under load', () => {
  test.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s keeps every acknowledged update',
    async (signal, { expect }) => {
      const file = join(folder, `${signal}.json`)
      await using server = await startServer('--state', file, '--grace', '500ms')
      const worlds = Array.from({ length: 8 }, (_, lane) => createWorld(`load-${lane}`))
      const { stop, acknowledged } = await updateWithoutEnd(server, worlds)
      await acknowledged(400)
      const end = await server.stop(signal)
      await stop()
      expect(end).toMatchObject({ code: 0, signal: null })
      expect(server.stderr).toEqual([])
      expect(await findLostUpdates(file, worlds)).toEqual([])
    },
  )
})

/** Updates in each world, one behind the other, until the connection ends. */
async function updateWithoutEnd(server: HostileServer, worlds: readonly World[]) {
  let count = 0
  const updaters = await Promise.all(worlds.map((world) => openUpdater(server.port, { world })))
  const runs = updaters.map(async (updater: Updater) => {
    // The last update gets no response; it may have taken place.
    while (await updater.update(1)) count += 1
  })
  return {
    async acknowledged(enough: number) {
      while (count < enough) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    async stop() {
      await Promise.all(runs)
      for (const updater of updaters) updater[Symbol.dispose]()
    },
  }
}

/** Lets so many run at once; the others wait for their turn. */
function createSlots(count: number) {
  let free = count
  const waiting: (() => void)[] = []
  return async (): Promise<Disposable> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    else free -= 1
    return {
      [Symbol.dispose]() {
        const next = waiting.shift()
        if (next === undefined) free += 1
        else next()
      },
    }
  }
}
