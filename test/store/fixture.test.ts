import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FixtureError, parseFixture } from '../../src/store/fixture.ts'

describe('a fixture', () => {
  test('keeps every int64 exactly, as a number and as a string', () => {
    const ids = fc.uniqueArray(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), { maxLength: 5 })
    fc.assert(
      fc.property(ids, fc.boolean(), (petIds, asText) => {
        const items = petIds.map((id) => `{"petId":${asText ? `"${id}"` : id},"quantity":1,"status":"sold"}`)
        const pets = parseFixture(`{"inventory":[${items.join(',')}]}`, 'my.json')
        expect(Array.from(pets.values(), ({ petId }) => petId)).toEqual(petIds.map(String))
      }),
    )
  })

  test('every fault is named by file, place and reason', () => {
    const content = {
      inventory: [
        { petId: 12, quantity: 1, status: 'available' },
        { petId: '12', quantity: 1, status: 'sold' },
        { petId: 13, quantity: 1.5, status: 'lost' },
        { petId: 2 ** 53, quantity: '3', status: 'sold' },
        { petid: 4 },
        7,
        { petId: 14, quantity: 1, status: 'sold', name: 'Rex' },
        null,
      ],
      pets: [],
    }
    expect(() => parseFixture(content, 'my.json')).toThrow(
      [
        'my.json: pets: is not known. Known: $schema, description, inventory',
        'my.json: inventory[1].petId: 12 is already used by inventory[0]',
        'my.json: inventory[2].quantity: must be an integer from -(2^53-1) to 2^53-1, got 1.5 (number)',
        'my.json: inventory[2].status: must be one of available, pending, sold, got "lost" (string)',
        'my.json: inventory[3].petId: must be an int64: a safe integer, a bigint or a string of digits without leading zeros, got 9007199254740992 (number); write it as a string, because a number this large is rounded',
        'my.json: inventory[3].quantity: must be an integer from -(2^53-1) to 2^53-1, got "3" (string)',
        'my.json: inventory[4].petid: is not known. Did you mean petId? Known: petId, quantity, status',
        'my.json: inventory[4].petId: is required',
        'my.json: inventory[4].quantity: is required',
        'my.json: inventory[4].status: is required',
        'my.json: inventory[5]: must be an object with petId, quantity, status, got 7 (number)',
        'my.json: inventory[6].name: is not known. Known: petId, quantity, status',
        'my.json: inventory[7]: must be an object with petId, quantity, status, got null',
      ].join('\n'),
    )
  })

  test.each([
    ['{"inventory": [', /^my\.json: is not JSON: ./],
    ['[]', /^my\.json: must be an object with \$schema, description, .+ got \[\] \(array\)\. Wrap it: /],
    [Promise.resolve(), /^my\.json: must be an object with .+\. Await it$/],
    [new URL('file:///pets.json'), /^my\.json: must be an object with .+\. Pass the file's text/],
    [Uint8Array.of(1), /^my\.json: .+\. Pass the file's text/m],
    ['{}', /^my\.json: inventory: is required$/],
    ['{"inventory": {}}', /^my\.json: inventory: must be an array, got \{\} \(object\)$/],
  ])('%s is refused', (content, message) => {
    expect(() => parseFixture(content, 'my.json')).toThrow(message)
  })

  test('its description is at most 4096 characters', () => {
    const parse = (length: number) => () => parseFixture({ description: 'x'.repeat(length), inventory: [] }, 'my.json')
    expect(parse(4096)).not.toThrow()
    expect(parse(4097)).toThrow(/^my\.json: description: must be at most 4096 characters, got "x{40}…" \(string\)$/)
  })

  test.each([100, 101, 20_000])('with %i faults names a hundred, and gives up', (count) => {
    const names = Array.from({ length: count }, (_, index) => [`x${index}`, 1] as const)
    const item = { petId: 1, quantity: 1, status: 'sold', ...Object.fromEntries(names) }
    const inList = catchFaults({ inventory: Array(count).fill(1) })
    const inItem = catchFaults({ inventory: [item, ...Array(10).fill(1)] })
    const beside = catchFaults({ inventory: [], ...Object.fromEntries(names) })
    for (const { message, problems } of [inList, inItem, beside]) {
      expect(problems).toHaveLength(100)
      expect(message.split('\n').slice(100).join()).toMatch(/^(?:my\.json: and more)?$/)
    }
    expect([inList, inItem].map(({ message }) => message.endsWith(': and more'))).toEqual([count > 100, true])
  })

  test('that is no JSON has the reason as its cause', () => {
    expect(() => parseFixture('{', 'my.json')).toThrow(expect.objectContaining({ cause: expect.any(SyntaxError) }))
  })

  test('whatever the content, it is read or refused by a FixtureError', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.object()), (content) => {
        try {
          parseFixture(content, 'my.json')
        } catch (error) {
          expect(error).toMatchObject({ name: 'MockError', code: 'INVALID_FIXTURE' })
        }
      }),
    )
  })
})

function catchFaults(content: object): FixtureError {
  try {
    parseFixture(content, 'my.json')
  } catch (error) {
    return error as FixtureError
  }
  throw new Error('nothing was thrown')
}
