// msw's own `getResponse` over hand-written handlers, behind the adapter that the mock's server has.
import type { Outcome } from '../../../src/http/outcome.ts'
import type { Mock } from '../../../src/service/mock.ts'
import { type MockService, withService } from '../../../src/service/mock-service.ts'
import { importFromBuild } from '../builds.ts'
import { createHandWrittenHandlers } from './hand-written-handlers.ts'

const { serve } = await importFromBuild<typeof import('../../../src/runtimes/server.ts')>('petstore-mock/server')
const msw = await importFromBuild<typeof import('msw')>('msw')
const handlers = createHandWrittenHandlers(msw, '*/v1')
const answer = async (call: { toRequest(): Request | undefined }): Promise<Outcome> => ({
  type: 'fetch-response',
  response: (await msw.getResponse(handlers, call.toRequest() as Request)) ?? new Response(null, { status: 404 }),
})

// The server reads nothing else of a mock.
const service: Partial<MockService> = { answer }
await serve(withService({} as Mock, service as MockService), { port: Number(process.argv[2]) })
