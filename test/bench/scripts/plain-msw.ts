// msw's own `getResponse` over hand-written handlers, behind the adapter that the mock's server has.
import type { Bytes } from '../../../src/http/bytes.ts'
import type { Outcome } from '../../../src/http/outcome.ts'
import type { WireRequest } from '../../../src/http/wire-request.ts'
import { type Mock, type MockService, withService } from '../../../src/service/mock.ts'
import { importFromBuild } from '../builds.ts'
import { createHandWrittenHandlers } from './hand-written-handlers.ts'

const { serve } = await importFromBuild<typeof import('../../../src/runtimes/server.ts')>('petstore-mock/server')
const msw = await importFromBuild<typeof import('msw')>('msw')
const handlers = createHandWrittenHandlers(msw, '*/v1')
const answer = async (call: WireRequest): Promise<Outcome> => {
  const request = (await call.toRequest(async () => (await call.readBody(65_536)) as Bytes)) as Request
  const response = (await msw.getResponse(handlers, request)) ?? new Response(null, { status: 404 })
  return { type: 'fetch-response', response }
}

// The server reads nothing else of a mock.
const service: Partial<MockService> = { answer }
await serve(withService({} as Mock, service as MockService), { port: Number(process.argv[2]) })
