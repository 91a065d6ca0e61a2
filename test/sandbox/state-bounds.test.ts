import { describe, expect, test } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import { toService } from '../../src/service/mock.ts'
import { PetTable } from '../../src/store/pet-table.ts'
import { createSeed, type Seed } from '../../src/store/seed.ts'

const MOST = 2_000_000
const ONE = { inventory: [createItem(1)] }
const TWO = { inventory: [createItem(1), createItem(2)] }

/** A mock whose sandboxes `a` and `b` have loaded all pets that they may, of which `b` has two. */
function createFull(): Mock {
  const mock = createMock({ fixtures: { default: 'default', mine: { inventory: [createItem(3)] } } })
  toService(mock)
    .sandboxes.open('a')
    .state.reset(createHugeSeed(MOST - 2))
  mock.sandbox('b').load(TWO)
  return mock
}

const REASON = / 2000000 besides the seed, and would hold 200000\d\. Reset those/
const TOO_MANY = expect.objectContaining({
  name: 'MockError',
  code: 'INVALID_FIXTURE',
  message: expect.stringMatching(REASON),
})

describe('the loaded pets of all sandboxes', () => {
  test('are 2,000,000 at most: one more is refused, and changes nothing', () => {
    const mock = createFull()
    const sandbox = mock.sandbox('c')
    const list = sandbox.inventory.list()
    expect(() => sandbox.load(ONE)).toThrow(TOO_MANY)
    expect(sandbox.inventory.list()).toEqual(list)
  })

  test('make room for those that replace them', () => {
    const { sandboxes } = toService(createFull())
    const pets = new PetTable([1, 2].map((id) => ({ petId: String(id), quantity: 5, status: 'sold' })))
    sandboxes.open('b').replacePets(pets)
    expect(sandboxes.open('b').state.get('2')?.quantity).toBe(5)
  })

  test.each([
    ['POST', '/load?', { fixture: ONE }],
    ['PUT', '/state?', ONE],
    ['PUT', '/state?fixture=keep&', ONE],
    ['PUT', '/pets?', ONE.inventory],
  ])('are 2,000,000 at most: %s /_mock%s refuses one more, and changes nothing', async (method, path, body) => {
    const mock = createFull()
    const list = mock.sandbox('c').inventory.list()
    const refused = await mock.fetch(`/_mock${path}sandbox=c`, { method, body: JSON.stringify(body) })
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { code: 'invalid_request', message: expect.stringMatching(REASON), status: 400 },
    ])
    expect(mock.sandbox('c').inventory.list()).toEqual(list)
  })

  test.each([
    [MOST, 'seeds[0].pets[0]: must be'],
    [MOST + 1, 'has more than 2000000 pets beside the seed'],
  ])('are 2,000,000 at most: a state with %i, none of which is one, is refused with %j', (count, reason) => {
    const mock = createMock()
    const seed = `{"name":"long","pets":[${'0,'.repeat(count - 1)}0]}`
    const state = `{"version":5,"seeds":[${seed}],"sandboxes":[{"name":"default","seed":0},{"name":"a","seed":0}]}`
    expect(() => mock.importState(state)).toThrow(
      expect.objectContaining({ code: 'INVALID_FIXTURE', message: expect.stringContaining(reason) }),
    )
    expect(mock.inventory.size).toBe(10)
  })

  test.each<[string, (mock: Mock) => void]>([
    ['reset', (mock) => mock.sandbox('b').reset()],
    ['removed', (mock) => toService(mock).sandboxes.remove('b')],
    ['loaded with the seed of the mock', (mock) => mock.sandbox('b').load('default')],
    ['loaded with a fixture of the mock', (mock) => mock.sandbox('b').load('mine')],
    ['loaded with a shipped fixture', (mock) => mock.sandbox('b').load('low-stock')],
  ])('leave room when a sandbox is %s', (_, free) => {
    const mock = createFull()
    free(mock)
    mock.sandbox('c').load(TWO)
    expect(() => mock.load(TWO)).toThrow(TOO_MANY)
    expect(mock.sandbox('c').inventory.list()).toEqual(TWO.inventory)
  })

  test('are those that a sandbox has in the end: what it replaces does not count', () => {
    const mock = createFull()
    for (let turn = 0; turn < 2; turn += 1) mock.sandbox('b').load(TWO)
    const three = { inventory: [...TWO.inventory, createItem(3)] }
    expect(() => mock.sandbox('b').load(three)).toThrow(TOO_MANY)
    mock.sandbox('a').load(three)
    mock.sandbox('b').load(three)
    expect(mock.sandbox('b').inventory.size).toBe(3)
  })

  test('are counted with the pets that were changed', () => {
    const mock = createFull()
    mock.sandbox('b').reset()
    mock.inventory.set(1, { quantity: 77 })
    mock.sandbox('d').inventory.remove(1)
    expect(() => mock.sandbox('c').load(TWO)).toThrow(TOO_MANY)
    mock.inventory.set(1, { quantity: 12 })
    mock.sandbox('d').reset()
    mock.sandbox('c').load(TWO)
  })

  test('do not stop a new seed, which all sandboxes share', () => {
    const mock = createFull()
    mock.reseed(TWO)
    expect(mock.sandbox('a').inventory.list()).toEqual(TWO.inventory)
  })
})

function createItem(petId: number) {
  return { petId, quantity: 1, status: 'sold' as const }
}

/** A seed that says how many pets it has, without having them: a million take a second. */
function createHugeSeed(size: number): Seed {
  const seed = createSeed('huge', new PetTable())
  return { ...seed, pets: { get: () => undefined, values: () => new Map().values(), size } }
}
