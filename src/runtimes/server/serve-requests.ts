/// <reference lib="esnext.disposable" preserve="true" />

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'
import { MockError } from '../../http/mock-error.ts'
import { CONTROL_PATH } from '../../http/router.ts'
import { object, parseWith } from '../../http/schema.ts'
import { isPromise, RequestAborted, whenReady } from '../../http/wire-request.ts'
import { answerExchange, listHosts, type Served, type ServedMock } from './answer-exchange.ts'
import { Connections, onRequest, refuseMalformed } from './connections.ts'
import { askForBody, createResponseBatcher, hasArrived, type ServerExchange } from './exchange.ts'
import { assertTls, createHttpServer, listen, toHostname } from './http-server.ts'
import { createConsoleFiles } from './page-files.ts'
import { findError, logRequest } from './request-log.ts'
import {
  GRACE,
  type Grace,
  isControlOn,
  type ParsedServeOptions,
  SERVE_OPTIONS,
  type ServeOptions,
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
  if (tls !== undefined) await assertTls(tls, START_FAILURE)
  const server = await createHttpServer(tls)
  const connections = new Connections(server)
  const closing = new AbortController()
  listenToRequests(server, mock, { ...parsed, connections, closing: closing.signal })
  refuseMalformed(server, connections)
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

type ListenOptions = ParsedServeOptions & {
  readonly connections: Connections
  readonly closing: AbortSignal
}

function listenToRequests(server: Server, mock: ServedMock, { connections, closing, ...options }: ListenOptions): void {
  const batcher = createResponseBatcher()
  const served: Served = { mock, files: createConsoleFiles(), options, hosts: listHosts(mock, options) }
  onRequest(server, (request, response, expectsContinue) => {
    const notes = options.log && logRequest(options.log, { request, response })
    const exchange: ServerExchange = {
      request,
      response,
      closing,
      batcher,
      notes,
      expectsContinue,
      isBodyRead: false,
      isPipelined: false,
      disconnected: undefined,
    }
    connections.enqueue(exchange, () => execute(served, exchange))
  })
}

function execute(served: Served, exchange: ServerExchange): void {
  // Harmless for a client that did not wait for the 100, and makes Node keep the connection.
  if (exchange.expectsContinue && hasArrived(exchange.request)) askForBody(exchange)
  const { socket } = exchange.request
  const fail = (error: unknown): void => {
    if (!isAborted(error)) console.error(error)
    socket.destroy()
  }
  try {
    const written = whenReady(answerExchange(served, exchange), (outcome) => {
      if (exchange.notes !== undefined) exchange.notes.error = findError(outcome)
      return writeOutcome(outcome, exchange)
    })
    if (isPromise(written)) written.catch(fail)
  } catch (error) {
    fail(error)
  }
}

/** The client has disconnected, or a proxied response has ended early. Neither is a bug. */
function isAborted(error: unknown): boolean {
  return error instanceof RequestAborted || (error as Error | undefined)?.cause instanceof RequestAborted
}
