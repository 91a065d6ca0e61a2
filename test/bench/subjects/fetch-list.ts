import { importFromRoot } from '../root.ts'
import { AUTHORIZATION, TEN_PETS } from '../wire.ts'
import { createSubject, type Subject } from './subject.ts'

const URL_OF_LIST = 'http://localhost/v1/inventory'
const INIT = { headers: { authorization: AUTHORIZATION } }

/** `mock.fetch` of the ten pets, read as JSON. */
export async function createFetchList(): Promise<Subject> {
  const { createMock } = await importFromRoot<typeof import('../../../src/index.ts')>('petstore-mock')
  const mock = createMock()
  return createSubject({ work: async () => (await mock.fetch(URL_OF_LIST, INIT)).json() })
}

/** What fetch's own classes cost for the same: a Request, a Response of JSON, and to read it. */
export async function createPlainFetchList(): Promise<Subject> {
  const work = async (): Promise<unknown> => {
    const request = new Request(URL_OF_LIST, INIT)
    const status = request.headers.get('authorization') === AUTHORIZATION ? 200 : 401
    return Response.json(TEN_PETS, { status }).json()
  }
  return createSubject({ work })
}
