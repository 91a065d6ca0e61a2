import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Replays recorded responses. Prism uses it as the service. */
export interface ReplayServer {
  /** `http://127.0.0.1:4011` */
  readonly url: string
  /** Stores a response for the request that names it in the header `EXCHANGE_ID`. */
  remember(answer: ReplayedAnswer): string
  forget(id: string): void
  close(): Promise<void>
}

interface ReplayedAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: Uint8Array | string
}

/** The header that identifies an exchange at the replay server, and marks responses from there. */
export const EXCHANGE_ID = 'x-exchange-id'

/** Starts a replay server on a free port of 127.0.0.1. */
export async function startReplayServer(): Promise<ReplayServer> {
  const answers = new Map<string, ReplayedAnswer>()
  const server = createReplayServer(answers)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    remember(answer) {
      const id = randomUUID()
      answers.set(id, answer)
      return id
    },
    forget: (id) => void answers.delete(id),
    close: () => close(server),
  }
}

function createReplayServer(answers: ReadonlyMap<string, ReplayedAnswer>): Server {
  return createServer((request, response) => {
    const id = String(request.headers[EXCHANGE_ID])
    const answer = answers.get(id)
    if (answer === undefined) return response.writeHead(404).end()
    const { status, contentType, body } = answer
    // Prevents closing an idle connection just when Prism reuses it.
    const headers = { 'content-type': contentType, [EXCHANGE_ID]: id, connection: 'close' }
    return response.writeHead(status, headers).end(body)
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
