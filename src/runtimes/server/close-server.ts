import type { Server } from 'node:http'

const SWEEP_MS = 10

/**
 * Closes a server without cutting an answer short. Node closes the connections that are idle at that moment and leaves
 * the others to their clients, who may keep them for long: they are looked for until all are gone.
 */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
    server.close(() => {
      clearInterval(sweep)
      resolve()
    })
  })
}
