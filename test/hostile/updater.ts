import { connect as connectTls } from 'node:tls'
import { followSocket, openConnection } from './connection.ts'
import { authorize, JSON_BODY, toBytes } from './requests/request.ts'
import type { World } from './world.ts'

/** A well-behaved client that tracks acknowledged updates. */
export interface Updater extends Disposable {
  /** Sends so many updates, each behind the response to the one before. False where the connection ended meanwhile. */
  update(count: number): Promise<boolean>
  addFault(sandbox: string, fault: object): Promise<void>
}

let turn = 0

export async function openUpdater(
  port: number,
  { world, tls = false }: { world: World; tls?: boolean },
): Promise<Updater> {
  const connection = tls ? await openOverTls(port) : await openConnection(port)
  return {
    async update(count) {
      for (let sent = 0; sent < count; sent += 1) {
        turn += 1
        const [petId, quantity] = [String(1 + (turn % 10)), BigInt(turn)]
        const headers = [authorize(world), JSON_BODY]
        const body = `{"quantity":${quantity}}`
        world.updatePerhaps(petId, quantity)
        connection.socket.write(toBytes({ method: 'PATCH', target: `/v1/inventory/${petId}`, headers, body }))
        const next = await connection.next('PATCH')
        if (!('response' in next)) return false
        if (next.response.status !== 200) throw new Error(`An update got ${next.response.status} ${next.response.body}`)
        world.update(petId, quantity)
      }
      return true
    },
    async addFault(sandbox, fault) {
      const target = `/_mock/faults?sandbox=${sandbox}`
      const body = JSON.stringify(fault)
      connection.socket.write(toBytes({ method: 'POST', target, headers: [JSON_BODY], body }))
      const next = await connection.next('POST')
      if (!('response' in next) || next.response.status !== 201) throw new Error('The fault was not added.')
    },
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  }
}

async function openOverTls(port: number) {
  const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false })
  await new Promise<void>((resolve, reject) => socket.once('secureConnect', () => resolve()).once('error', reject))
  return followSocket(socket)
}
