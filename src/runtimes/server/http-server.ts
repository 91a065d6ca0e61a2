import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'

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

/** Calls `listener` with every request, also with those that wait for a 100 (Continue) before they send a body. */
export function onRequest(
  server: Server,
  listener: (request: IncomingMessage, response: ServerResponse, isBodyHeldBack: boolean) => void,
): void {
  server.on('request', (request, response) => listener(request, response, false))
  server.on('checkContinue', (request, response) => listener(request, response, true))
  // Expectations that nobody knows are ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => listener(request, response, false))
}
