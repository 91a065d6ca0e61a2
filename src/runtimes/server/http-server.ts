import { createServer, type Server, type ServerOptions } from 'node:http'
import { MockError } from '../../http/mock-error.ts'

/** Certificate and key in PEM form. */
export interface Tls {
  readonly cert: string | Buffer
  readonly key: string | Buffer
}

/** How long the head of a request may take, in milliseconds. */
const HEAD_MS = 30_000
/** How often Node looks for heads that take longer. */
const CHECK_MS = 1000

/** How many connections a server has open at most; one more is closed at once. */
export const MOST_CONNECTIONS = 2048

/** A server of Node's that leaves to the mock what Node would refuse with a response of its own. */
export async function createHttpServer(tls: Tls | undefined, options: ServerOptions = {}): Promise<Server> {
  const settings: ServerOptions = {
    // Repeated header lines are joined, as fetch joins them, where Node would drop all but one.
    joinDuplicateHeaders: true,
    requireHostHeader: false,
    // A server that closes idle connections races with clients that are about to use them, which makes tests flaky.
    keepAliveTimeout: 0,
    headersTimeout: HEAD_MS,
    connectionsCheckingInterval: CHECK_MS,
    ...options,
  }
  const server = tls === undefined ? createServer(settings) : await createHttpsServer({ ...settings, ...tls })
  server.maxConnections = MOST_CONNECTIONS
  return server
}

/** Only those who serve over https pay for it. */
async function createHttpsServer(settings: ServerOptions & Tls): Promise<Server> {
  const https = await import('node:https')
  return https.createServer(settings)
}

/** Resolves when the server listens. @throws {MockError} `SERVER_START` */
export function listen(server: Server, { port, host }: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(toStartError(cause, { port, host })))
    server.listen(port, host, resolve)
  })
}

function toStartError(cause: NodeJS.ErrnoException, { port, host }: { port: number; host: string }): MockError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is taken. Stop the program that has it, or choose another port; 0 takes a free one.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine.`,
    ENOTFOUND: `${host} is not the name of an address of this machine.`,
    EACCES: `port ${port} is not allowed to you. Choose one above 1023.`,
  }
  return new MockError('SERVER_START', `Failed to start the server: ${reasons[cause.code ?? ''] ?? cause.message}`, {
    cause,
  })
}

/** How this machine reaches the server: an address that stands for all of them is none to send to. */
export function toHostname(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
