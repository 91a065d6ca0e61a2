import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ResponseBatcher } from './response-batcher.ts'

/** A request with its response. */
export interface ServerExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Aborts when the server begins to close. */
  readonly closing: AbortSignal
  readonly outbox: ResponseBatcher
  /** Whether the client sends its body only when it is asked for it by a 100 (RFC 9110, section 10.1.1). */
  isBodyHeldBack: boolean
  /** Whether the request had to wait for the response to the one before it. */
  isPipelined: boolean
  /** Whether all of the body was read. */
  isBodyRead: boolean
}

/** RFC 9112, section 6: a request has a body where one of these headers says so. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Whether all of a body of declared length has come in; Node calls it complete only a turn of the event loop later. */
export function hasArrived({ complete, headers, readableLength }: IncomingMessage): boolean {
  return complete || readableLength === Number(headers['content-length'])
}

/** Asks for a body that is held back. A response that is on its way has answered without it. */
export function askForBody(exchange: ServerExchange): void {
  if (!exchange.isBodyHeldBack || exchange.response.headersSent) return
  exchange.isBodyHeldBack = false
  exchange.response.writeContinue()
}

/**
 * Aborts when the client goes away. One that has closed its own side still gets every response that is there at once,
 * but is not waited for: nobody can tell it from a client that has given up.
 */
export function toGoneSignal({ request, response }: Pick<ServerExchange, 'request' | 'response'>): AbortSignal {
  const { socket } = request
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  if (response.destroyed || socket.readableEnded) abort()
  socket.once('end', abort)
  response.once('close', () => {
    socket.off('end', abort)
    abort()
  })
  return controller.signal
}
