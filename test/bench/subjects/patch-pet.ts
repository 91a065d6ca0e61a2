import { toHeaders, toPatch } from '../wire.ts'
import { createSizedMock } from './create-sized-mock.ts'
import { createSubject, type Subject } from './subject.ts'
import { toSpreadPetId } from './to-spread-pet-id.ts'

/** Updates through `mock.fetch`, of pets all over the inventory. */
export async function createPatchPet({ pets }: { pets: number }): Promise<Subject> {
  const mock = await createSizedMock(pets)
  const work = async (turn: number): Promise<unknown> => {
    const patch = toPatch(toSpreadPetId(turn, pets), turn % 100)
    const { method, path, body = '' } = patch
    const response = await mock.fetch(`/v1${path}`, { method, body, headers: toHeaders(patch) })
    const { quantity } = (await response.json()) as { quantity: number }
    return { status: response.status, quantity }
  }
  return createSubject({ work })
}
