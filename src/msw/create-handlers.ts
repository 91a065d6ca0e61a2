import { http, type RequestHandler } from 'msw'
import { markHandlers } from '../sandbox/user-handler.ts'
import type { Mock } from '../service/mock.ts'
import { toService } from '../service/mock-service.ts'
import { createServiceHandlers } from './service-handlers.ts'

/**
 * Creates msw handlers for your own `setupServer` or `setupWorker`: one for each operation and base URL, and others for
 * the control API and all remaining paths below a base path.
 * @throws {MockError} `INVALID_OPTION` when the argument is not a mock.
 * @example
 * const server = setupServer(...createHandlers(createMock()), ...yourHandlers)
 */
export function createHandlers(mock: Mock): RequestHandler[] {
  const { bases, covers } = toService(mock, 'Failed to create handlers')
  return markHandlers(createServiceHandlers({ bases, covers, fetch: mock.fetch }, http))
}
