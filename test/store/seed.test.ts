import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import edges from '../../fixtures/int64-edges.json' with { type: 'json' }
import lowStock from '../../fixtures/low-stock.json' with { type: 'json' }
import { createMock } from '../../src/index.ts'
import { parseFixture } from '../../src/store/fixture.ts'
import { type FixtureSource, isShippedFixture, Seeds, SHIPPED_FIXTURES } from '../../src/store/seed.ts'

const EMPTY = { inventory: [] }

describe('loading a fixture', () => {
  const load = (source: FixtureSource, name?: string) => new Seeds('default').load(source, name)

  test.each<[string | object, string | undefined, string, number]>([
    ['default', undefined, 'default', 10],
    ['low-stock', 'mine', 'mine', 10],
    ['{"inventory":[]}', 'mine', 'mine', 0],
    ['\uFEFF \n\t{"inventory":[]}', undefined, 'custom', 0],
    [{ inventory: [{ petId: 1, quantity: 1, status: 'sold' }] }, undefined, 'custom', 1],
  ])('%j, called %s, is the seed %s of %i pets', (source, name, seedName, size) => {
    const seed = load(source as never, name)
    expect([seed.name, seed.pets.size]).toEqual([seedName, size])
    expect(JSON.parse(new TextDecoder().decode(seed.toList()))).toHaveLength(size)
    expect(seed.toList()).toBe(seed.toList())
  })

  test.each(['nope', '', 'Default', 'constructor', 'my{1}.json', 'x'.repeat(1000), 'inventory: []\n', '// none\n{}'])(
    'there is no fixture %j',
    (name) => {
      const shown = name.length > 40 ? `"${name.slice(0, 39)}…` : JSON.stringify(name)
      expect(() => load(name)).toThrow(
        expect.objectContaining({
          code: 'UNKNOWN_FIXTURE',
          message: `Failed to load a fixture: there is none named ${shown}. Use one of default, empty, low-stock, sold-out, int64-edges, the text of a JSON file, or an object. YAML can only be a file of --fixture.`,
        }),
      )
      expect(isShippedFixture(name)).toBe(false)
    },
  )

  test.each(['[]', '{', ' [1', '{ "inventory": [] } // none'])(
    '%s is the content of a file, and a bad one',
    (content) => {
      const refusal = (origin: string) =>
        expect.objectContaining({ code: 'INVALID_FIXTURE', message: expect.stringMatching(`^${origin}: `) })
      expect(() => load(content, 'my.json')).toThrow(refusal('my.json'))
      expect(() => load(content)).toThrow(refusal('fixture'))
    },
  )
})

describe('the fixtures of a mock', () => {
  test('finds the own fixtures before the shipped ones, and loads each once', () => {
    const seeds = new Seeds(undefined, { mine: EMPTY, default: EMPTY, scarce: 'low-stock' })
    expect([seeds.initial.name, seeds.load('default').pets.size, seeds.load('scarce').pets.size]).toEqual([
      'mine',
      0,
      10,
    ])
    expect(seeds.load('default')).toBe(seeds.load('default'))
    expect(seeds.load('sold-out')).toBe(seeds.load('sold-out'))
    expect([seeds.isShared(seeds.load('scarce')), seeds.isShared(seeds.load(EMPTY))]).toEqual([true, false])
  })

  test('what is put in place of the own one hides none of another name, and is found until the next one', () => {
    const seeds = new Seeds(EMPTY, { custom: 'low-stock' })
    expect([seeds.initial.pets.size, seeds.load('custom').pets.size]).toEqual([0, 10])
    for (const name of ['custom', 'yours']) expect(seeds.replace(EMPTY, name)).toBe(seeds.load(name))
    expect(seeds.isShared(seeds.replace(EMPTY, 'low-stock'))).toBe(true)
    expect([seeds.load('low-stock').pets.size, seeds.names.includes('yours')]).toEqual([10, false])
  })

  test('another name of a fixture has its pets and its description', () => {
    const seeds = new Seeds(undefined, { a: { description: 'Mine', ...EMPTY }, b: 'a', 'sold-out': 'default' })
    const { description } = seeds.load('default')
    expect(seeds.load('sold-out')).toMatchObject({ name: 'sold-out', description, pets: { size: 10 } })
    expect(seeds.load('b')).toMatchObject({ name: 'b', description: 'Mine', pets: { size: 0 } })
    expect(seeds.replace('a', 'c')).toMatchObject({ name: 'c', description: 'Mine' })
  })
})

test('every file in fixtures is shipped under its name', async () => {
  const folder = new URL('../../fixtures/', import.meta.url)
  const files = (await readdir(folder)).filter((name) => name !== 'fixture.schema.json')
  expect(files.map((name) => name.replace('.json', '')).sort()).toEqual(Object.keys(SHIPPED_FIXTURES).sort())
  for (const name of files) expect(parseFixture(await readFile(new URL(name, folder), 'utf8'), name)).toBeDefined()
})

test.each<[unknown, RegExp]>([
  [5, /fixture must be a shipped fixture's name.+, got 5 \(number\)\.$/],
  [[], /fixture must be .+, got \[\] \(array\)\. Wrap it: /],
])('%j is no fixture for createMock', (fixture, message) => {
  expect(() => createMock({ fixture: fixture as never })).toThrow(message)
})

// What TypeScript knows of an imported file is part of the test: a status is any string to it.
test('a fixture imported as JSON is one for createMock, load and reseed', () => {
  const mock = createMock({ fixture: lowStock })
  expect(mock.inventory.size).toBe(lowStock.inventory.length)
  mock.load(edges)
  expect(mock.inventory.size).toBe(edges.inventory.length)
  mock.reseed(lowStock)
  expect(mock.inventory.size).toBe(lowStock.inventory.length)
})
