import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HttpResponse, http } from 'msw'
import { createMock } from 'petstore-mock'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { SPECIFICATION_JSON } from '../../src/contract/document.gen.ts'
import { findContractChanges } from '../../src/mutants/contract-changes.ts'
import { MUTANTS } from '../../src/mutants/mutants.ts'
import { listProfilePoints } from '../../src/mutants/run-mutants.ts'
import { createClient } from './consumer/client.js'
import { SUITES } from './consumer/suites.js'

afterEach(() => void vi.unstubAllEnvs())

/** A mock that is this mutant, and what it has noted. */
function createMutant(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'mutant-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  vi.stubEnv('PETSTORE_MOCK_MUTANT', name)
  vi.stubEnv('PETSTORE_MOCK_MUTANT_NOTES', folder)
  const mock = createMock()
  const connect = (key = mock.apiKey) => createClient({ url: '/v1', key, fetch: mock.fetch })
  /** Runs the careful tests of the sample consumer one after the other; resolves to the titles of those that fail. */
  const runSuite = async (): Promise<string[]> => {
    const tests = new Map<string, () => Promise<void>>()
    SUITES.careful((title: string, run: () => Promise<void>) => tests.set(title, run), connect)
    const failed: string[] = []
    for (const [title, run] of tests) await run().catch(() => failed.push(title))
    return failed
  }
  return { mock, connect, client: connect(), runSuite, readNotes: () => readdirSync(folder) }
}

test.each(MUTANTS)('$name ($kind) fails the careful suite only if it is a defect', async (mutant) => {
  const { runSuite, readNotes, client } = createMutant(mutant.name)
  expect((await runSuite()).length > 0).toBe(mutant.kind === 'defect')
  const needs = mutant.needs?.filter((answer) => answer.endsWith('200')) ?? []
  expect(readNotes()).toEqual(expect.arrayContaining(['altered', ...needs]))
  for (const pet of [...(await client.list()), await client.setQuantity(2, 22)]) {
    expect(pet).toMatchObject({ petId: expect.any(Number), quantity: expect.any(Number) })
    expect(pet.status).toMatch(mutant.name === 'new-status' ? /^\w+$/ : /^(?:available|pending|sold)$/)
  }
})

test.each(listProfilePoints())('the careful suite bears a service with $name', async ({ name }) => {
  expect(await createMutant(name).runSuite()).toEqual([])
})

test.each([
  [`{"malformedPetId":404}`, 'abc', 404],
  [`{"quantity":{"min":7,"max":9}}`, '1', 400],
])('%s is met by a request that it decides otherwise, and by no other', async (name, petId, changed) => {
  const { client, readNotes } = createMutant(name)
  await client.setQuantity(1, 8)
  expect(readNotes()).not.toContain('altered')
  await expect(client.setQuantity(petId, 5)).rejects.toMatchObject({ status: changed })
  expect(readNotes()).toContain('altered')
})

test('a request that the sound mock would have answered alike has not met the mutant', async () => {
  const { mock, client, readNotes } = createMutant('stale-list')
  mock.inventory.set(1, { quantity: 5 })
  await client.setQuantity(1, 5)
  await client.list()
  expect(readNotes()).not.toContain('altered')
  await client.setQuantity(1, 6)
  expect(await client.list()).toContainEqual({ petId: 1, quantity: 5, status: 'available' })
  expect(readNotes()).toContain('altered')
})

test('a mutant says so on standard error once, and notes every operation with its status', async () => {
  const { client, readNotes } = createMutant('list-order')
  expect(await client.list()).not.toEqual(await client.list())
  expect(process.stderr.write).toHaveBeenCalledExactlyOnceWith('petstore-mock: this mock is the mutant list-order.\n')
  expect(readNotes().sort()).toEqual(['altered', 'announced', 'listInventory 200'])
})

test.each([
  ['lost-update', 'production', 'PETSTORE_MOCK_MUTANT=lost-update is refused: NODE_ENV is production.'],
  ['lost-updat', 'test', expect.stringContaining('There is no mutant lost-updat. Did you mean lost-update?')],
])('%s in %s is refused at once, and in each response', async (name, mode, message) => {
  vi.stubEnv('NODE_ENV', mode)
  const { mock } = createMutant(name)
  await vi.waitFor(() => expect(process.stderr.write).toHaveBeenCalledOnce())
  expect(await (await mock.fetch('/v1/inventory')).json()).toMatchObject({ status: 500, message })
})

test('the first lists of ten sandboxes are slow', async () => {
  const { mock, connect, readNotes } = createMutant('slow-answers')
  const lists = Array.from({ length: 11 }, (_, index) => connect(`${mock.apiKey}~${index}`).list())
  expect(await Promise.race(lists.map((list, index) => list.then(() => index)))).toBe(10)
  await Promise.all(lists)
  expect(readNotes()).toHaveLength(13)
})

function findChanges(after: string, added: string) {
  return findContractChanges(JSON.parse(SPECIFICATION_JSON['3.1'].replace(after, `${after}${added}`)))
}

const ERROR = '{"$ref":"#/components/responses/NotFound"},'

test.each<[after: string, added: string, request: string, answer: RegExp, isAltered?: boolean]>([
  ['"properties":{', '"note":{"type":"string"},', 'GET /inventory', /"note":"text"\}\]$/],
  ['"properties":{', '"seen":{"type":"string","format":"date"},', 'GET /inventory', /"seen":"2001-01-01"\}\]$/],
  ['"properties":{', '"no":{"type":"integer","examples":[7]},', 'PATCH /inventory/1 {"quantity":5}', /"no":7\}$/],
  ['"enum":[', '"retired",', 'GET /inventory', /"retired"\}\]$/],
  ['"code":{', '"enum":["late"],', 'PATCH /inventory/0 {}', /^400 .*"late"/],
  ['"required":["quantity"', ',"reason"', 'PATCH /inventory/1 {"quantity":5}', /^400 .*reason is required/],
  ['"required":["quantity"', ',"reason"', 'PATCH /inventory/1 {"quantity":5,"reason":0}', /^200 /, false],
  ['BadRequest"},', `"409":${ERROR}`, 'PATCH /inventory/1 {}', /^409 /],
  ['BadRequest"},', `"409":${ERROR}`, 'PATCH /inventory/0 {"quantity":5}', /^404 /, false],
  ['"responses":{', `"403":${ERROR}`, 'GET /inventory wrong', /^403 /],
  ['"2XX":{"$ref":"#/components/responses/NotShown"},', `"410":${ERROR}`, 'GET /pets/1', /^410 /],
  ['"/store/orders', '/new', 'GET /store/orders', /^410 /],
  ['"/store/orders', '/new', 'GET /store/orders wrong', /^401 /, false],
])('a new contract with %s%s is acted out by %s', async (after, added, request, answer, isAltered = true) => {
  const { mutants, others } = findChanges(after, added)
  expect([mutants.length, others.filter((each) => !each.endsWith(' adds paths /store/orders/new.'))]).toEqual([1, []])
  const { mock, readNotes } = createMutant(mutants[0]?.name ?? '')
  mock.use(http.get('*/store/orders', () => HttpResponse.json([])))
  const [method = '', path, text = null] = request.split(' ')
  const key = text === 'wrong' ? text : mock.apiKey
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await mock.fetch(`/v1${path}`, { method, headers, body: method === 'GET' ? null : text })
  expect(`${response.status} ${await response.text()}`).toMatch(answer)
  expect([readNotes().includes('altered'), mock.journal.last()?.answer?.status]).toEqual([isAltered, response.status])
})

test.each([
  ['3.0', '', ''],
  ['3.1', '"description":"', '"description":"New. '],
  ['3.1', /petId(?=\}|","in":"path")/g, 'id'],
  ['3.1', /(.*)"#\/components\/responses\/Unauthorized"/s, '$1"#/paths/~1inventory/get/responses/401"'],
] as const)('the present contract is the same in OpenAPI %s with %s as %s', (version, from, to) => {
  const changes = findContractChanges(JSON.parse(SPECIFICATION_JSON[version].replace(from, to)))
  expect(changes).toEqual({ mutants: [], others: ['The new document has the same contract.'] })
})

test('a new contract with recursive schemas, an escape sequence and a property without an example', () => {
  const node = { items: { $ref: '#/node' }, loop: { $ref: '#/loop' } }
  const { others } = findContractChanges({ paths: { '\u001b[2J': { $ref: '#/node' } }, node, loop: { $ref: '#/loop' } })
  expect(others).toContain('No mutant acts out that the new contract adds paths \\u{1b}[2J.')
  expect(findChanges('"responses":{', `"503":${ERROR}`).others).toEqual([expect.stringMatching(/ responses 503\.$/)])
  expect(findChanges('"properties":{', '"of":{"oneOf":[]},').others).toHaveLength(2)
  expect(() => findContractChanges('hello')).toThrow('no OpenAPI document')
})
