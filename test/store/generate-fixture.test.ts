import { describe, expect, test } from 'vitest'
import { createRandom, generateFixture } from '../../src/store/generate-fixture.ts'

test('createRandom is mulberry32', () => {
  const random = createRandom(1)
  expect([random(), random(), random()]).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522])
})

describe('generateFixture', () => {
  test('gives the same pets for the same numbers, on every machine', () => {
    expect(generateFixture({ pets: 3 }).inventory).toEqual([
      { petId: 1, quantity: 0, status: 'pending' },
      { petId: 2, quantity: 99, status: 'pending' },
      { petId: 3, quantity: 0, status: 'sold' },
    ])
    expect(generateFixture({ pets: 50, randomSeed: 7 })).toEqual(generateFixture({ pets: 50, randomSeed: 7 }))
    expect(generateFixture({ pets: 50, randomSeed: 7 })).not.toEqual(generateFixture({ pets: 50, randomSeed: 8 }))
  })

  test('leaves none of a sold pet, 0 to 100 of the others, and uses every status', () => {
    const { description, inventory } = generateFixture({ pets: 3000, randomSeed: 5 })
    expect(description).toBe('3000 generated pets, random seed 5')
    expect(inventory.map(({ petId }) => petId)).toEqual(Array.from({ length: 3000 }, (_, index) => index + 1))
    const quantities = (wanted: string): number[] =>
      inventory.filter(({ status }) => status === wanted).map(({ quantity }) => quantity)
    expect(new Set(quantities('sold'))).toEqual(new Set([0]))
    for (const status of ['available', 'pending']) {
      expect(quantities(status).length).toBeGreaterThan(800)
      expect([Math.min(...quantities(status)), Math.max(...quantities(status))]).toEqual([0, 100])
    }
  })

  test.each([
    [{ pets: -1 }, 'pets'],
    [{ pets: 1.5 }, 'pets'],
    [{ pets: 10_000_001 }, 'pets'],
    [{ pets: 1, randomSeed: 0.5 }, 'randomSeed'],
    [{ pets: 1, seed: 1 }, 'seed'],
  ])('refuses %j', (options, name) => {
    const message = expect.stringMatching(`^Failed to generate a fixture: ${name} `)
    expect(() => generateFixture(options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION', message }))
  })
})
