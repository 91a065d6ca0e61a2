/// <reference lib="esnext.disposable" preserve="true" />

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'
import { MockError } from '../../http/mock-error.ts'
import { CONTROL_PATH } from '../../http/router.ts'
import { object, parseWith } from '../../http/schema.ts'
import { isPromise, RequestAborted, whenReady } from '../../http/wire-request.ts'
import { answerExchange, listHosts, type Served, type ServedMock } from './answer-exchange.ts'
import { Connections, createHttpServer, onRequest } from './connections.ts'
import { Exchange } from './exchange.ts'
import { createConsoleFiles } from './page-files.ts'
import { logRequest } from './request-log.ts'
import {
  findTlsProblem,
  GRACE,
  type Grace,
  isControlOn,
  type ParsedServeOptions,
  SERVE_OPTIONS,
  type ServeOptions,
  type Tls,
} from './serve-options.ts'
import { writeOutcome } from './write-outcome.ts'

/** Options of `close()`. */
export interface CloseOptions {
  /** Overrides the `grace` of `serve`. */
  readonly grace?: Grace
}

const CLOSE_OPTIONS = object<{ readonly grace?: number }>({ grace: v.optional(GRACE) })

/** A listening server. */
export interface RunningServer extends AsyncDisposable {
  /** `http://127.0.0.1:4100`, without the base path. */
  readonly url: string
  /** The port that the server listens on. */
  readonly port: number
  /** The URL of the console; `undefined` if the control API is off. */
  readonly consoleUrl: string | undefined
  /**
   * Refuses new requests, finishes those in flight, and frees the port. A response that is unfinished after `grace` is
   * cut off. A further call can shorten it.
   * @throws {MockError} `INVALID_OPTION` for an invalid `grace`.
   */
  close(options?: CloseOptions): Promise<void>
}

/** What every message about a server that does not start begins with. */
export const START_FAILURE = 'Failed to start the server'

/**
 * Serves what answers requests: a mock, or files.
 * @throws {MockError} `SERVER_START`; `INVALID_OPTION`
 */
export async function serveRequests(mock: ServedMock, options: ServeOptions): Promise<RunningServer> {
  const parsed = parseWith(SERVE_OPTIONS, options, { failure: START_FAILURE })
  assertTokenIsNoKey(mock, parsed)
  const { port, host, tls, grace } = parsed
  if (tls !== undefined) await assertTls(tls)
  const server = await createHttpServer(tls)
  const connections = new Connections(server)
  const closing = new AbortController()
  listenToRequests(server, mock, { ...parsed, connections, closing: closing.signal })
  const close = async (closeOptions: CloseOptions = {}): Promise<void> => {
    const { grace: ms = grace } = parseWith(CLOSE_OPTIONS, closeOptions, { failure: 'Failed to close the server' })
    closing.abort()
    await connections.close(ms)
  }
  await listen(server, { port, host })
  const { port: bound } = server.address() as AddressInfo
  const url = `http${tls === undefined ? '' : 's'}://${toHostname(host)}:${bound}`
  return {
    url,
    port: bound,
    consoleUrl: isControlOn(parsed) ? `${url}${CONTROL_PATH}/` : undefined,
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

/** Otherwise every client of the service could control the mock. The message does not contain the token. */
function assertTokenIsNoKey({ sandboxes }: ServedMock, { controlToken }: ParsedServeOptions): void {
  if (controlToken === undefined || sandboxes?.default.keys.isOwn(controlToken) !== true) return
  throw new MockError(
    'INVALID_OPTION',
    `${START_FAILURE}: controlToken must not be an API key, because every client that has the key could control the mock. Choose another token.`,
  )
}

/** @throws {MockError} `INVALID_OPTION` */
async function assertTls(tls: Tls): Promise<void> {
  const problem = await findTlsProblem(tls, { cert: 'tls.cert', key: 'tls.key' })
  if (problem === undefined) return
  throw new MockError('INVALID_OPTION', `${START_FAILURE}: ${problem} Pass the content of the files.`)
}

/** Resolves when the server listens. @throws {MockError} `SERVER_START` */
function listen(server: Server, { port, host }: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(toStartError(cause, { port, host })))
    server.listen(port, host, resolve)
  })
}

function toStartError(cause: NodeJS.ErrnoException, { port, host }: { port: number; host: string }): MockError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is taken. Stop the program that uses it, or choose another port; 0 picks a free one.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine.`,
  }
  return new MockError('SERVER_START', `${START_FAILURE}: ${reasons[cause.code ?? ''] ?? cause.message}`, {
    cause,
  })
}

/** The host in the server's URL. Clients cannot connect to a wildcard address such as 0.0.0.0. */
function toHostname(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

type ListenOptions = ParsedServeOptions & {
  readonly connections: Connections
  readonly closing: AbortSignal
}

function listenToRequests(server: Server, mock: ServedMock, { connections, closing, ...options }: ListenOptions): void {
  const hosts = listHosts(mock, options)
  const served: Served = { mock, files: createConsoleFiles(), options, hosts }
  onRequest(server, (request, response, expectsContinue) => {
    const exchange = new Exchange({ request, response, closing, expectsContinue, hosts })
    if (options.log !== undefined) logRequest(options.log, exchange)
    connections.enqueue(exchange, () => execute(served, exchange))
  })
}

function execute(served: Served, exchange: Exchange): void {
  // Harmless for a client that did not wait for the 100, and makes Node keep the connection.
  if (exchange.expectsContinue && exchange.hasArrived) exchange.askForBody()
  const { socket } = exchange.request
  const fail = (error: unknown): void => {
    // Otherwise the client has disconnected, which is no bug.
    if (!(error instanceof RequestAborted)) console.error(error)
    socket.destroy()
  }
  try {
    const written = whenReady(answerExchange(served, exchange), (outcome) => {
      exchange.outcome = outcome
      return writeOutcome(outcome, exchange)
    })
    if (isPromise(written)) written.catch(fail)
  } catch (error) {
    fail(error)
  }
}
