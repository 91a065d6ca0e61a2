import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const SWEEP_MS = 10

/**
 * Makes what closes a server without cutting an answer short; to be made before the server listens. Node itself closes
 * the connections that are idle at that moment. It leaves those that become idle later to their clients, who may keep
 * them for long, and those on which nothing was ever asked, as browsers open them in advance.
 */
export function createClose(server: Server): () => Promise<void> {
  const unused = new Set<Socket>()
  const track = (socket: Socket): void => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  }
  // Over https a request names the encrypted socket, not the one below it.
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', track)
  server.on('request', ({ socket }) => unused.delete(socket))
  return () =>
    new Promise((resolve) => {
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
      server.close(() => {
        clearInterval(sweep)
        resolve()
      })
      for (const socket of unused) socket.destroy()
    })
}
