import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { findJsonFault } from '../../src/cli/fixture-file/find-json-fault.ts'
import { findRepeatedName } from '../../src/cli/fixture-file/find-repeated-name.ts'
import { parseJsonFile } from '../../src/cli/fixture-file/parse-json-file.ts'
import { parseYamlFile } from '../../src/cli/fixture-file/parse-yaml-file.ts'
import { readFixtureFile } from '../../src/cli/read-fixture.ts'
import { JsonNumber } from '../../src/http/exact-json.ts'
import { runCli, startServe } from './run-cli.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  return () => rm(folder, { recursive: true })
})

async function write(name: string, content: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, content)
  return file
}

const YAML = `# the pets of the demo
description: Two pets
inventory:
  - { petId: 1, quantity: 12, status: available } # in stock
  - petId: 9223372036854775807
    quantity: 0
    status: sold
`
const JSONC = `// the pets of the demo
{
  "description": "Two // pets", /* and
  no more */
  "inventory": [
    { "petId": 1, "quantity": 12, "status": "available", },
    { "petId": 9223372036854775807, "quantity": 0, "status": "sold" }, // the largest id
  ],
}
`
const INVENTORY = [
  { petId: 1, quantity: 12, status: 'available' },
  { petId: 9223372036854775807n, quantity: 0, status: 'sold' },
]

describe('a fixture file', () => {
  test.each([
    ['pets.yaml', YAML, 'Two pets'],
    ['pets.YML', YAML, 'Two pets'],
    ['pets.jsonc', JSONC, 'Two // pets'],
  ])('%s is read, ids exact', async (name, content, description) => {
    expect(await readFixtureFile(await write(name, content))).toEqual({ description, inventory: INVENTORY })
  })

  test('serve --fixture takes YAML', async () => {
    const { url } = await startServe('--fixture', await write('served.yaml', YAML))
    const response = await fetch(`${url}/inventory`, { headers: { authorization: 'Bearer demo-key' } })
    expect(await response.text()).toContain('"petId":9223372036854775807')
  })

  test.each([
    [
      'missing.json',
      '{\n  "inventory": [\n    { "petId": 1,, }\n  ]\n}',
      'line 3, column 18: a name in double quotes is expected, and there is ","',
    ],
    ['word.json', '{ "inventory": x }', 'line 1, column 16: a value is expected, and there is "x"'],
    ['end.json', '{ "inventory": [', 'line 1, column 17: a value or ] is expected, and the file ends'],
    ['more.json', '{ "inventory": [] }\n}', 'line 2, column 1: the end of the file is expected, and there is "}"'],
    [
      'comment.json',
      '{ // no\n}',
      'line 1, column 3: a name in double quotes or } is expected, and there is "/". Only .jsonc files may have comments and trailing commas',
    ],
    [
      'trailing.json',
      '{"inventory":[],}',
      'line 1, column 17: a name in double quotes is expected, and there is "}". Only .jsonc files may have comments and trailing commas',
    ],
    [
      'colon.jsonc',
      '/* a\n comment */ { "inventory" [] }',
      'line 2, column 27: : behind the name is expected, and there is "["',
    ],
    [
      'flow.yaml',
      'inventory:\n  - petId: 1\n    status: [sold\n',
      'line 4, column 1: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    ['twice.yaml', 'inventory: []\ninventory: []\n', 'line 2, column 1: Map keys must be unique'],
    ['comma.jsonc', '{"inventory":[,]}', 'line 1, column 15: a value or ] is expected, and there is ","'],
    ['object.jsonc', '{ /* no */ , }', 'line 1, column 12: a name in double quotes or } is expected, and there is ","'],
    ['commas.jsonc', '{"inventory":[1,,]}', 'line 1, column 17: a value is expected, and there is ","'],
    [
      'two.yaml',
      'inventory: []\n---\ninventory: []\n',
      'line 2, column 1: a second document begins, and only one is allowed',
    ],
    [
      'rounded.yaml',
      'inventory:\n  - { petId: 1, quantity: 5.0000000000000001, status: sold }\n',
      'inventory[0].quantity: must be an integer from -(2^53-1) to 2^53-1, got 5.0000000000000001 (number)',
    ],
    [
      'name.json',
      '{ "inventory": [\n  { "petId": 1, "quantity": 1, "petId": 2, "status": "sold" }\n] }',
      'line 2, column 32: the name "petId" is already used in this object',
    ],
    [
      'name.jsonc',
      '{ // no\n"inventory": [{ "petId": 1, "quantity": 1, "status": "sold" }], "invent\\u006fry": [], }',
      'line 2, column 65: the name "invent\\u006fry" is already used in this object',
    ],
    [
      'zeros.yaml',
      'inventory:\n  - petId: 1\n    quantity: 007\n    status: sold\n',
      'line 3, column 15: 007 has a leading zero. Write 7, or "007" if it is text',
    ],
    [
      'minus.yaml',
      'inventory:\n  - { petId: -07.5, quantity: 1, status: sold }\n',
      'line 2, column 14: -07.5 has a leading zero. Write -7.5, or "-07.5" if it is text',
    ],
    ['list.yaml', '- 1\n', 'must be a JSON object, got [1] (array)'],
    ['text.json', '"default"', 'must be a JSON object, got "default" (string)'],
    ['empty.yaml', '', 'must be a JSON object, got null (null)'],
    [
      'bomb.yaml',
      `a: &a [x,x,x,x,x,x,x,x,x,x]\n${'bcdef'.replaceAll(/./g, (name) => `${name}: &${name} [${Array(10).fill(`*${String.fromCharCode(name.charCodeAt(0) - 1)}`)}]\n`)}`,
      'Excessive alias count',
    ],
    ['pet.yaml', 'inventory:\n  - { petId: 1.5, quantity: 1, status: sold }\n', 'inventory[0].petId: must be an int64'],
  ])('%s is refused by its place', async (name, content, message) => {
    const file = await write(name, content)
    expect(await runCli('fixture', 'validate', file)).toEqual({
      code: 2,
      out: '',
      err: expect.stringContaining(`${file}: `),
    })
    expect((await runCli('fixture', 'validate', file)).err).toContain(message)
  })
})

describe('a string of 32 million characters', () => {
  const long = { text: 'a'.repeat(32e6), escapes: '\\n'.repeat(16e6) }

  test.each(['text', 'escapes'] as const)('of %s is read', (kind) => {
    const parsed = parseJsonFile(`{"a":"${long[kind]}", /* "b" */}`, { origin: 'a.jsonc', hasComments: true })
    expect(parsed).toEqual({ a: JSON.parse(`"${long[kind]}"`) })
  })

  test.each(['text', 'escapes'] as const)('of %s does not hide the place of a fault', (kind) => {
    const parse = (): unknown =>
      parseJsonFile(`{"a":"${long[kind]}",\n"b" 5}`, { origin: 'a.jsonc', hasComments: true })
    expect(parse).toThrow('a.jsonc: is not JSON: line 2, column 5: : behind the name is expected, and there is "5"')
  })
})

test('a YAML key that looks like a rounded number stays a name', async () => {
  expect(await parseYamlFile('5.0000000000000001: 1', 'a.yaml')).toEqual({ '5': 1 })
})

test.each([
  ['5.0', 5],
  ['+5.', 5],
  ['.5', 0.5],
  ['5e0', 5],
  ['9007199254740993', 9007199254740993n],
  ['.inf', Number.POSITIVE_INFINITY],
  ['5.0000000000000001', new JsonNumber('5.0000000000000001')],
  ['+5.0000000000000001', new JsonNumber('5.0000000000000001')],
  ['0', 0],
  ['0.5', 0.5],
  ['"007"', '007'],
  ['0x07', 7],
  ['9007199254740993.', 9007199254740993n],
  ['9007199254740993.0', new JsonNumber('9007199254740993.0')],
  ['1e400', new JsonNumber('1e400')],
])('YAML reads the number %s as JSON does', async (source, value) => {
  expect(await parseYamlFile(`- ${source}`, 'a.yaml')).toEqual([value])
})

test('a file of more than 4 million characters is not searched for names that occur twice', () => {
  const parse = (length: number) =>
    parseJsonFile('{"a":1,"a":2}'.padEnd(length), { origin: 'a.json', hasComments: false })
  expect(() => parse(4_000_000)).toThrow('a.json: line 1, column 8: the name "a" is already used in this object')
  expect(parse(4_000_001)).toEqual({ a: 2 })
})

describe('findRepeatedName', () => {
  const find = (text: string): string | undefined => {
    const offset = findRepeatedName(text)
    return offset === undefined ? undefined : text.slice(offset, offset + 3)
  }

  test.each([
    ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1},"a"],"d":"a"}', undefined],
    ['{"a":{"b":1},"b":{"a":[{},{"x":"a:"}]}}', undefined],
    ['{"a":"\\"a\\":","b" : "c"}', undefined],
    ['[{"a":{"b":[{}]},"a":2}]', '"a"'],
    ['{"x":{"b":1,"c":{"d":1},"b" \n:2}}', '"b"'],
    ['{"__proto__":1,"__proto__":2}', '"__'],
    ['{"a":1,"\\u0061":2}', '"\\u'],
    ['5', undefined],
  ])('of %s', (text, found) => {
    expect(find(text)).toBe(found)
  })

  test('finds none in what JSON.stringify writes, and one in any object that has a member twice', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, name) => {
        const text = JSON.stringify({ [name]: value }, null, 1)
        expect(findRepeatedName(text)).toBeUndefined()
        const repeated = `${text.slice(0, -1)},${JSON.stringify(name)}:1}`
        expect(findRepeatedName(repeated)).toBe(text.length)
      }),
    )
  })
})

describe('findJsonFault', () => {
  test('finds none in JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(3), (json, indent) => {
        expect(findJsonFault(JSON.stringify(JSON.parse(json), null, indent))).toBeUndefined()
      }),
    )
  })

  test('finds one wherever JSON.parse does, and never behind the first wrong character', () => {
    const broken = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '}', ']', '"', ':', 'x', '1', '\u0001', '\u0080', '\ud800'),
    )
    fc.assert(
      fc.property(broken, ([json, at, character]) => {
        const place = at % (json.length + 1)
        const text = json.slice(0, place) + character + json.slice(place + 1)
        expect(findJsonFault(text) === undefined).toBe(isJson(text))
        expect(findJsonFault(text)?.offset ?? 0).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: 1000 },
    )
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
