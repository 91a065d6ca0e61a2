import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFixture } from '../../src/store/fixture.ts'
import { generateFixture } from '../../src/store/generate-fixture.ts'
import { loadSeed } from '../../src/store/load-seed.ts'
import { createRandom } from '../../src/store/random.ts'
import { createSeed } from '../../src/store/seed.ts'
import { isShippedFixture } from '../../src/store/shipped-fixtures.ts'
import { toChanges } from '../../src/store/to-changes.ts'

describe('loadSeed', () => {
  test.each<[string | object, string | undefined, string, number]>([
    ['default', 'mine', 'default', 10],
    ['{"inventory":[]}', 'mine', 'mine', 0],
    [' \n\t{"inventory":[]}', undefined, 'custom', 0],
    [{ inventory: [{ petId: 1, quantity: 1, status: 'sold' }] }, undefined, 'custom', 1],
  ])('%j, called %s, is the seed %s of %i pets', (source, name, seedName, size) => {
    const seed = loadSeed(source as never, name)
    expect([seed.name, seed.pets.size]).toEqual([seedName, size])
  })

  test.each(['nope', '', 'Default', 'constructor', 'my{1}.json', 'x'.repeat(1000)])(
    'there is no fixture %s',
    (name) => {
      const shown = name.length > 40 ? `"${name.slice(0, 39)}…` : JSON.stringify(name)
      expect(() => loadSeed(name)).toThrow(
        expect.objectContaining({
          code: 'UNKNOWN_FIXTURE',
          message: `Failed to load a fixture: there is none named ${shown}. Use one of default, empty, low-stock, sold-out, int64-edges, the content of a file, or an object.`,
        }),
      )
      expect(isShippedFixture(name)).toBe(false)
    },
  )

  test.each([
    'description: Forty pets\ninventory:\n  - { petId: 1, quantity: 1, status: sold }\n',
    'inventory: []',
    '# YAML\r\ninventory: []',
    '// JSONC\n{ "inventory": [] }',
    '/* JSONC */ { "inventory": [] }',
  ])('%j is the content of a file that is not JSON', (content) => {
    expect(() => loadSeed(content)).toThrow(
      expect.objectContaining({
        code: 'INVALID_FIXTURE',
        message:
          'fixture: is not JSON, the only text that is read here. The command line also reads YAML. Parse other formats yourself, and pass the object',
      }),
    )
  })

  test.each(['{ "inventory": [] } // none', '{ // none\n"inventory": [] }', '{ # none\n"inventory": [] }'])(
    '%j has a comment, which JSON does not allow',
    (content) => {
      expect(() => loadSeed(content)).toThrow(
        /^fixture: is not JSON: .+\. Comments are read only from \.jsonc and \.yaml files, by the command line$/,
      )
    },
  )

  test.each(['[]', '{', ' [1'])('%s is the content of a file, and a bad one', (content) => {
    expect(() => loadSeed(content, 'my.json')).toThrow(
      expect.objectContaining({ code: 'INVALID_FIXTURE', message: expect.stringMatching(/^my\.json: /) }),
    )
  })
})

describe('createRandom', () => {
  test('is mulberry32', () => {
    const random = createRandom(1)
    expect([random(), random(), random()]).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522])
  })

  test('counts the low 32 bits of its seed, and stays from 0 to 1', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const [random, again] = [createRandom(seed), createRandom(seed + 2 ** 32)]
        for (let count = 0; count < 20; count += 1) {
          const value = random()
          expect(again()).toBe(value)
          expect(value >= 0 && value < 1).toBe(true)
        }
      }),
    )
  })
})

test('a generated pet that is sold has none left, others have 0 to 100, and every status is there', () => {
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
  [{ pets: -1 }, 'pets must be a whole number from 0 to 10000000, got -1 (number).'],
  [{ pets: 10_000_001 }, 'pets must be a whole number from 0 to 10000000, got 10000001 (number).'],
  [{ pets: 1, randomSeed: 2 ** 53 }, 'randomSeed must be a safe integer, got 9007199254740992 (number).'],
  [{ pets: 1, seed: 1 }, 'seed is not known.'],
])('generateFixture(%j) is refused', (options, message) => {
  expect(() => generateFixture(options)).toThrow(`Failed to generate a fixture: ${message}`)
})

describe('toChanges', () => {
  const read = (ids: readonly number[], quantity = 1) =>
    parseFixture({ inventory: ids.map((petId) => ({ petId, quantity, status: 'sold' as const })) }, 'test')
  const seed = createSeed('seed', read([1, 2, 3, 4, 5, 6, 7, 8, 9]))

  test('are the pets that differ, are gone and come last', () => {
    const pets = read([1, 2, 4, 5, 6, 7, 8, 9, 10])
    pets.put({ petId: '5', quantity: 2, status: 'sold' })
    const changes = toChanges(pets, seed)
    expect(changes?.seed).toBe(seed)
    expect([changes?.removed, changes?.changed.map(({ petId, position }) => [petId, position])]).toEqual([
      new Set(['3']),
      [['5', 4]],
    ])
    expect(changes?.added.map(({ petId }) => petId)).toEqual(['10'])
  })

  test('are none of the same pets', () => {
    expect(toChanges(read([1, 2, 3, 4, 5, 6, 7, 8, 9]), seed)).toMatchObject({
      removed: new Set(),
      changed: [],
      added: [],
    })
  })

  test('tell a status apart', () => {
    const pets = read([1, 2, 3, 4, 5, 6, 7, 8, 9])
    pets.put({ petId: '1', quantity: 1, status: 'pending' })
    expect(toChanges(pets, seed)?.changed).toMatchObject([{ petId: '1', status: 'pending' }])
  })

  test('are not worth it where half of the pets are others', () => {
    expect(toChanges(read([1, 2, 3, 4, 5, 6, 7, 8, 9], 2), seed)).toBeUndefined()
    expect(toChanges(read([1, 2, 3, 4, 5, 10, 11]), createSeed('seed', read([1, 2, 3, 4, 5])))).toBeDefined()
    expect(toChanges(read([1, 2, 3, 10]), createSeed('seed', read([1, 2, 3, 4])))).toBeUndefined()
    expect(toChanges(read([]), createSeed('seed', read([])))).toBeUndefined()
  })
})
