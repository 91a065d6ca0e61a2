import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMock } from 'petstore-mock'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { MUTANTS, PROFILE_MUTANTS } from '../../src/mutants/mutants.ts'
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
    const status = expect.stringMatching(/^(?:available|pending|sold)$/)
    expect(pet).toMatchObject({ petId: expect.any(Number), quantity: expect.any(Number), status })
  }
})

test.each(PROFILE_MUTANTS)('the careful suite bears a service with $name', async ({ name }) => {
  expect(await createMutant(name).runSuite()).toEqual([])
})

test('second-pet changes the first other pet in the list with a different quantity, as it says', async () => {
  const { mock, client } = createMutant('second-pet')
  mock.inventory.set(1, { quantity: 7 })
  const before = mock.inventory.list()
  await client.setQuantity(3, 7)
  const changed = mock.inventory.list().filter(({ quantity }, index) => quantity !== before[index]?.quantity)
  expect(changed.map(({ petId }) => petId)).toEqual([2, 3])
})

test.each([
  [`{"malformedPetId":404}`, 'abc', 404],
  [`{"quantity":{"min":0,"max":2147483647}}`, '1', 400],
])('%s is met by a request that it decides otherwise, and by no other', async (name, petId, changed) => {
  const { client, readNotes } = createMutant(name)
  await client.setQuantity(1, 8)
  expect(readNotes()).not.toContain('altered')
  await expect(client.setQuantity(petId, -1)).rejects.toMatchObject({ status: changed })
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
