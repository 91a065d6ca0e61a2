import type { RequestHandler } from 'msw'
import { createMswHandlers } from './handlers/create-msw-handlers.ts'
import type { MockOptions } from './mock-options.ts'
import { createService, type Service } from './service.ts'

/** A stateful double of the petstore's inventory service. */
export interface Mock extends Service {
  /** The service as msw handlers, for an msw set-up of your own. */
  readonly handlers: RequestHandler[]
}

/**
 * Makes a double that is nobody else's: its state, keys and sandboxes belong to it alone.
 * @throws {MockError} `INVALID_OPTION`, `INVALID_FIXTURE` or `UNKNOWN_FIXTURE`
 * @example
 * const mock = createMock({ fixture: 'low-stock' })
 * const answer = await mock.fetch('/v1/inventory', { headers: { authorization: `Bearer ${mock.apiKey}` } })
 */
export function createMock(options: MockOptions = {}): Mock {
  const service = createService(options)
  return { ...service, handlers: [...createMswHandlers(service)] }
}
