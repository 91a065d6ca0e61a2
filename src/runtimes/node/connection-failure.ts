import { ClientRequest } from 'node:http'

/**
 * Creates the error of a broken connection as the client would get it from a server, with the code that retry logic looks
 * at. `undefined` for XMLHttpRequest, whose errors have no reason.
 * @param initiator The `Request` of fetch, or the `ClientRequest` of node:http.
 */
export function createConnectionFailure(initiator: unknown): Error | undefined {
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
  if (initiator instanceof ClientRequest) return reset
  return initiator instanceof Request ? new TypeError('fetch failed', { cause: reset }) : undefined
}
