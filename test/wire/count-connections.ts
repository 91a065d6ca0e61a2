import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that counts the connections that clients open. */
export interface CountedServer extends AsyncDisposable {
  readonly url: string
  /** How many connections clients have opened so far. */
  readonly count: number
}

/** Passes every connection on to a server on 127.0.0.1, byte by byte. */
export async function countConnections(port: number): Promise<CountedServer> {
  const sockets = new Set<Socket>()
  let count = 0
  const relay = createServer({ allowHalfOpen: true }, (client) => {
    count += 1
    const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    for (const socket of [client, server]) {
      sockets.add(socket.setNoDelay(true))
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.pipe(server).pipe(client)
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    get count() {
      return count
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      relay.close()
      await once(relay, 'close')
    },
  }
}
