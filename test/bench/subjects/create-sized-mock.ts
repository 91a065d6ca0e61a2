import { importFromRoot } from '../root.ts'

type Index = typeof import('../../../src/index.ts')

/** A mock of the built package, with so many generated pets. */
export async function createSizedMock(pets: number): Promise<ReturnType<Index['createMock']>> {
  const { createMock, generateFixture } = await importFromRoot<Index>('petstore-mock')
  return createMock({ fixture: generateFixture({ pets }) })
}
