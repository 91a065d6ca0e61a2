import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import edges from '../../fixtures/int64-edges.json' with { type: 'json' }
import lowStock from '../../fixtures/low-stock.json' with { type: 'json' }
import { createMock } from '../../src/index.ts'
import { parseFixture } from '../../src/store/fixture.ts'
import { createSeed, isShippedFixture, loadByName, loadSeed, SHIPPED_FIXTURES } from '../../src/store/seed.ts'

const EMPTY = { inventory: [] }

describe('loadSeed', () => {
  test.each<[string | object, string | undefined, string, number]>([
    ['default', 'mine', 'default', 10],
    ['{"inventory":[]}', 'mine', 'mine', 0],
    ['\uFEFF \n\t{"inventory":[]}', undefined, 'custom', 0],
    [{ inventory: [{ petId: 1, quantity: 1, status: 'sold' }] }, undefined, 'custom', 1],
  ])('%j, called %s, is the seed %s of %i pets', (source, name, seedName, size) => {
    const seed = loadSeed(source as never, name)
    expect([seed.name, seed.pets.size, seed.length]).toEqual([seedName, size, size])
  })

  test.each(['nope', '', 'Default', 'constructor', 'my{1}.json', 'x'.repeat(1000), 'inventory: []\n', '// none\n{}'])(
    'there is no fixture %j',
    (name) => {
      const shown = name.length > 40 ? `"${name.slice(0, 39)}…` : JSON.stringify(name)
      expect(() => loadSeed(name)).toThrow(
        expect.objectContaining({
          code: 'UNKNOWN_FIXTURE',
          message: `Failed to load a fixture: there is none named ${shown}. Use one of default, empty, low-stock, sold-out, int64-edges, the text of a JSON file, or an object.`,
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
      expect(() => loadSeed(content, 'my.json')).toThrow(refusal('my.json'))
      expect(() => loadSeed(content)).toThrow(refusal('fixture'))
    },
  )
})

describe('loadByName', () => {
  const own = createSeed('mine', parseFixture(EMPTY, 'mine'))
  const shadowing = createSeed('default', parseFixture(EMPTY, 'mine'))
  const shipped = loadSeed('low-stock')

  test('finds the mock’s own seed and the shipped ones, which come first', () => {
    expect(loadByName('mine', own)).toBe(own)
    expect(loadByName('low-stock', shipped)).toBe(shipped)
    expect([loadByName('default', own).length, loadByName('default', shadowing).length]).toEqual([10, 10])
    expect(loadByName(EMPTY, own)).toMatchObject({ name: 'custom', length: 0 })
  })

  test('names them all where there is no such fixture', () => {
    expect(() => loadByName('yours', own)).toThrow('Use one of mine, default, empty')
    expect(() => loadByName('yours', shadowing)).toThrow('Use one of default, empty')
  })
})

test('every file in fixtures is shipped under its name', async () => {
  const folder = new URL('../../fixtures/', import.meta.url)
  const files = (await readdir(folder)).filter((name) => name !== 'fixture.schema.json')
  expect(files.map((name) => name.replace('.json', '')).sort()).toEqual(Object.keys(SHIPPED_FIXTURES).sort())
  for (const name of files) expect(parseFixture(await readFile(new URL(name, folder), 'utf8'), name)).toBeDefined()
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
