import { createMock } from 'petstore-mock'
import { expect, test } from 'vitest'

const mock = createMock()

test('the pets that run out, the fewest first', () => {
  const pets = mock.inventory.findMany({
    where: { status: { in: ['available', 'pending'] }, quantity: { lte: 3 } },
    orderBy: { quantity: 'asc' },
    take: 5,
  })
  expect(pets.map(({ petId }) => petId)).toEqual([6, 10, 2])
})
