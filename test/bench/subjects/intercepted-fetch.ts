import { importFromRoot } from '../root.ts'
import { createHandWrittenHandlers } from '../servers/hand-written-handlers.ts'
import { AUTHORIZATION } from '../wire.ts'
import { createSubject, type Subject } from './subject.ts'

const BASE = 'https://api.petstore.example/v1'

/** The global `fetch`, answered by `interceptRequests`. */
export async function createInterceptedFetch(): Promise<Subject> {
  const { createMock } = await importFromRoot<typeof import('../../../src/index.ts')>('petstore-mock')
  const { interceptRequests } =
    await importFromRoot<typeof import('../../../src/runtimes/node.ts')>('petstore-mock/node')
  interceptRequests(createMock({ baseUrl: BASE }))
  return createSubject({ work: fetchList })
}

/** The global `fetch`, answered by handlers of one's own in msw's `setupServer`. */
export async function createSetupServerFetch(): Promise<Subject> {
  const msw = await importFromRoot<typeof import('msw')>('msw')
  const { setupServer } = await importFromRoot<typeof import('msw/node')>('msw/node')
  setupServer(...createHandWrittenHandlers(msw, BASE)).listen()
  return createSubject({ work: fetchList })
}

async function fetchList(): Promise<unknown> {
  const response = await fetch(`${BASE}/inventory`, { headers: { authorization: AUTHORIZATION } })
  return { status: response.status, pets: await response.json() }
}
