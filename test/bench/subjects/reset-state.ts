import { createSizedMock } from './create-sized-mock.ts'
import { createSubject, type Subject } from './subject.ts'

const CHANGES = 10

/** `reset()` after ten changes; the changes are not timed. */
export async function createResetState({ pets }: { pets: number }): Promise<Subject> {
  const mock = await createSizedMock(pets)
  const prepare = (): void => {
    for (let petId = 1; petId <= CHANGES; petId += 1) mock.inventory.set(petId, { quantity: 1000 + petId })
  }
  const isChanged = (): boolean => mock.inventory.get(1)?.quantity === 1001
  const check = (): unknown => {
    prepare()
    const before = isChanged()
    mock.reset()
    return { before, after: isChanged() }
  }
  return createSubject({ prepare, work: () => mock.reset(), check })
}
