import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readContent, readFixtureFile } from '../../src/cli/data-file.ts'
import { runCli, startServe } from './run-cli.ts'
import { makeSharedFolder } from './state-folder.ts'

const folder = await makeSharedFolder()

async function write(name: string, content: string | Buffer): Promise<string> {
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

  test.each<[string, string | Buffer, string]>([
    ['missing.json', '{\n  "inventory": [\n    { "petId": 1,, }\n  ]\n}', '(line 3 column 18)'],
    ['word.json', '{ "inventory": x }', 'is not JSON: '],
    ['comment.json', '{ // no\n}', '(line 1 column 3)'],
    ['trailing.json', '{"inventory":[],}', '(line 1 column 17)'],
    ['colon.jsonc', '/* a\n comment */ { "inventory" [] }', '(line 2 column 27)'],
    ['comma.jsonc', '{"inventory":[,]}', 'is not JSON: '],
    ['commas.jsonc', '{"inventory":[1,,]}', 'is not JSON: '],
    ['flow.yaml', 'inventory:\n  - petId: 1\n    status: [sold\n', 'at line 4, column 1'],
    ['twice.yaml', 'inventory: []\ninventory: []\n', 'at line 2, column 1'],
    ['list.yaml', '- 1\n', 'must be a JSON object, got [1] (array)'],
    ['text.json', '"default"', 'must be a JSON object, got "default" (string)'],
    ['empty.yaml', '', 'must be a JSON object, got null (null)'],
    [
      'bomb.yaml',
      `a: &a [x,x,x,x,x,x,x,x,x,x]\n${'bcdef'.replaceAll(/./g, (name) => `${name}: &${name} [${Array(10).fill(`*${String.fromCharCode(name.charCodeAt(0) - 1)}`)}]\n`)}`,
      'is not YAML: Excessive alias count',
    ],
    ['pet.yaml', 'inventory:\n  - { petId: 1.5, quantity: 1, status: sold }\n', 'inventory[0].petId: must be an int64'],
    ['utf-16.json', Buffer.from('\uFEFF{"inventory":[]}', 'utf16le'), 'is not UTF-8'],
    ['latin-1.json', Buffer.from('{"inventory":[],"description":"ä"}', 'latin1'), 'is not UTF-8'],
    ['deep.json', '{"inventory":'.repeat(100_000), 'nested more than 1000 levels deep'],
    ['object.json', '{"inventory":[{"petId":{"toString":1}}]}', 'got {"toString":1} (object)'],
  ])('%s is refused by name and place', async (name, content, message) => {
    const file = await write(name, content)
    const { code, out, err } = await runCli('fixture', 'validate', file)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`${file}: `)
    expect(err).toContain(message)
  })
})

test.each([
  ['5.0', 5],
  ['5e0', 5],
  ['9007199254740993', 9007199254740993n],
  ['.inf', Number.POSITIVE_INFINITY],
  ['"007"', '007'],
  ['0x07', 7],
])('YAML has the number %s', async (source, value) => {
  expect(await readContent(await write('number.yaml', `- ${source}`), '--stubs')).toEqual([value])
})
