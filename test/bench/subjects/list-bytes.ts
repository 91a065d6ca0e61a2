import { AUTHORIZATION } from '../wire.ts'
import { createSizedMock } from './create-sized-mock.ts'
import { createSubject, type Subject } from './subject.ts'
import { toSpreadPetId } from './to-spread-pet-id.ts'

const URL_OF_LIST = 'http://localhost/v1/inventory'
const INIT = { headers: { authorization: AUTHORIZATION } }

/** `mock.fetch` of the list, read as bytes; with `changes` a pet changes before each, which is not timed. */
export async function createListBytes({ pets, changes }: { pets: number; changes: boolean }): Promise<Subject> {
  const mock = await createSizedMock(pets)
  const work = async (): Promise<ArrayBuffer> => (await mock.fetch(URL_OF_LIST, INIT)).arrayBuffer()
  const prepare = (turn: number): void => void mock.inventory.set(toSpreadPetId(turn, pets), { quantity: turn % 100 })
  return createSubject({ work, check: async () => (await work()).byteLength, ...(changes && { prepare }) })
}

/** What fetch's own classes cost for the same bytes. */
export async function createPlainListBytes({ pets }: { pets: number }): Promise<Subject> {
  const mock = await createSizedMock(pets)
  const bytes = await (await mock.fetch(URL_OF_LIST, INIT)).arrayBuffer()
  const headers = { 'content-type': 'application/json' }
  const work = async (): Promise<ArrayBuffer> => {
    const { method } = new Request(URL_OF_LIST, INIT)
    return new Response(method === 'GET' ? bytes : null, { headers }).arrayBuffer()
  }
  return createSubject({ work, check: async () => (await work()).byteLength })
}
