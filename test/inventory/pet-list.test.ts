import { expect, test } from 'vitest'
import { type Pet, writePetList } from '../../src/inventory/pet.ts'

const PETS: readonly Pet[] = [
  { petId: '9223372036854775807', quantity: -3, status: 'sold' },
  { petId: '0', quantity: 0, status: 'available' },
]

test.each([
  [0, '[]'],
  [1, '[{"petId":9223372036854775807,"quantity":-3,"status":"sold"}]'],
  [2, '[{"petId":9223372036854775807,"quantity":-3,"status":"sold"},{"petId":0,"quantity":0,"status":"available"}]'],
])('a list of %i pets is exact JSON, in their order', (count, text) => {
  expect(new TextDecoder().decode(writePetList(PETS.slice(0, count)))).toBe(text)
})

test('a list that is written in several pieces is whole', () => {
  const pets = Array.from(
    { length: 2000 },
    (_, petId): Pet => ({ petId: `${petId}`, quantity: petId, status: 'pending' }),
  )
  const list = JSON.parse(new TextDecoder().decode(writePetList(pets)))
  expect(list).toEqual(pets.map((pet) => ({ ...pet, petId: Number(pet.petId) })))
})
