import { type Mock, toService } from '../service/mock.ts'
import type { ServeOptions } from './server/serve-options.ts'
import { type RunningServer, START_FAILURE, serveRequests } from './server/serve-requests.ts'

export type { RequestLogEntry } from './server/request-log.ts'
export type { Grace, ServeOptions } from './server/serve-options.ts'
export type { CloseOptions, RunningServer } from './server/serve-requests.ts'

/**
 * Serves a mock over TCP; resolves when the server is listening.
 * @throws {MockError} `SERVER_START` if the port is taken or the host is not an address of this machine;
 * `INVALID_OPTION` for an invalid option.
 * @example
 * const server = await serve(createMock())
 * await fetch(`${server.url}/v1/inventory`, { headers: { authorization: 'Bearer demo-key' } })
 * await server.close()
 */
export async function serve(mock: Mock, options: ServeOptions = {}): Promise<RunningServer> {
  return serveRequests(toService(mock, START_FAILURE), options)
}
