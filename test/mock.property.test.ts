import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import {
  createMock,
  generateFixture,
  type InventoryItem,
  type Mock,
  PET_STATUSES,
  type Sandbox,
  type Snapshot,
} from '../src/index.ts'
import { toService } from '../src/service/mock.ts'

type List = readonly InventoryItem[]

/** A sandbox as it has to be. */
interface ModelSandbox {
  /** What was loaded. */
  seed: List
  list: List
}

interface Model {
  seed: List
  /** The least recently used first; the default one stays at the beginning. */
  readonly sandboxes: Map<string, ModelSandbox>
  evictions: number
  readonly snapshots: ModelSandbox[]
}

interface Real {
  readonly mock: Mock
  readonly snapshots: Snapshot[]
}

const MAX_SANDBOXES = 3
const FIXTURES = {
  default: 'default',
  'int64-edges': 'int64-edges',
  empty: 'empty',
  generated: generateFixture({ pets: 100 }),
} as const
type FixtureName = keyof typeof FIXTURES

const LISTS = Object.fromEntries(
  Object.entries(FIXTURES).map(([name, fixture]) => [name, createMock({ fixture }).inventory.list()]),
) as Record<string, List> as Readonly<Record<FixtureName, List>>

const sandboxName = fc.constantFrom('default', 'a', 'b', 'c', 'd', 'e')
const fixtureName = fc.constantFrom(...(Object.keys(FIXTURES) as FixtureName[]))
const petId = fc.oneof(
  fc.constantFrom(0n, 100n, 101n, 9007199254740992n, 9007199254740993n, 2n ** 63n - 1n),
  fc.bigInt(-2n, 12n),
)
const quantity = fc.maxSafeInteger().map((value) => value + 0)
const status = fc.constantFrom(...PET_STATUSES)

type Command = fc.AsyncCommand<Model, Real>
type Step = (model: Model, real: Real) => void | Promise<void>

function toCommand(name: string, step: Step): Command {
  return {
    check: () => true,
    toString: () => name,
    async run(model, real) {
      await step(model, real)
      expectSame(model, real.mock)
    },
  }
}

/** A step in a sandbox, which opens it. */
function inSandbox(
  name: string,
  sandbox: string,
  step: (own: ModelSandbox, real: Sandbox, mock: Mock) => void | Promise<void>,
): Command {
  return toCommand(`${name} in ${sandbox}`, (model, { mock }) =>
    step(open(model, sandbox), mock.sandbox(sandbox), mock),
  )
}

const commands: fc.Arbitrary<Command>[] = [
  fc.tuple(sandboxName, petId, quantity).map(([sandbox, id, value]) =>
    inSandbox(`PATCH ${id} ${value}`, sandbox, async (own, { apiKey }, mock) => {
      const response = await mock.fetch(`/v1/inventory/${id}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: `{"quantity":${value}}`,
      })
      expect(response.status).toBe(has(own.list, id) ? 200 : 404)
      own.list = change(own.list, id, { quantity: value })
    }),
  ),
  sandboxName.map((sandbox) =>
    inSandbox('GET', sandbox, async (own, { apiKey }, mock) => {
      const response = await mock.fetch('/v1/inventory', { headers: { authorization: `Bearer ${apiKey}` } })
      expect([response.status, await response.text()]).toEqual([200, toText(own.list)])
    }),
  ),
  fc.constant(
    inSandbox('GET with another key', 'default', async (_own, _real, mock) => {
      const response = await mock.fetch('/v1/inventory', { headers: { authorization: 'Bearer other' } })
      expect(response.status).toBe(401)
    }),
  ),
  fc.tuple(sandboxName, petId, fc.record({ quantity, status }, { requiredKeys: [] })).map(([sandbox, id, next]) =>
    inSandbox(`set ${id} ${JSON.stringify(next)}`, sandbox, (own, { inventory }) => {
      if (Object.keys(next).length === 0)
        return expect(() => inventory.set(id, next)).toThrow('it needs quantity or status')
      if (!has(own.list, id)) return expect(() => inventory.set(id, next)).toThrow('does not exist')
      own.list = change(own.list, id, next)
      expect(inventory.set(id, next)).toEqual(own.list.find((item) => BigInt(item.petId) === id))
    }),
  ),
  fc.tuple(sandboxName, petId, quantity, status).map(([sandbox, id, value, state]) =>
    inSandbox(`add ${id}`, sandbox, (own, { inventory }) => {
      const item = { petId: id, quantity: value, status: state }
      if (has(own.list, id)) return expect(() => inventory.add(item)).toThrow('already exists')
      own.list = add(own, inventory.add(item))
    }),
  ),
  fc.tuple(sandboxName, petId).map(([sandbox, id]) =>
    inSandbox(`remove ${id}`, sandbox, (own, { inventory }) => {
      expect(inventory.remove(id)).toBe(has(own.list, id))
      own.list = own.list.filter((item) => BigInt(item.petId) !== id)
    }),
  ),
  fc.tuple(sandboxName, fixtureName).map(([sandbox, fixture]) =>
    inSandbox(`load ${fixture}`, sandbox, (own, real) => {
      real.load(FIXTURES[fixture])
      Object.assign(own, toLoaded(LISTS[fixture]))
    }),
  ),
  sandboxName.map((sandbox) =>
    toCommand(`reset ${sandbox}`, (model, { mock }) => {
      Object.assign(open(model, sandbox), toLoaded(model.seed))
      mock.sandbox(sandbox).reset()
    }),
  ),
  sandboxName.map((sandbox) =>
    toCommand(`forget ${sandbox}`, (model, { mock }) => {
      const isThere = sandbox !== 'default' && model.sandboxes.delete(sandbox)
      expect(toService(mock).sandboxes.remove(sandbox)).toBe(isThere)
    }),
  ),
  fixtureName.map((fixture) =>
    toCommand(`reseed ${fixture}`, (model, { mock }) => {
      mock.reseed(FIXTURES[fixture])
      model.seed = LISTS[fixture]
      for (const own of model.sandboxes.values()) Object.assign(own, toLoaded(model.seed))
    }),
  ),
  sandboxName.map((sandbox) =>
    toCommand(`snapshot of ${sandbox}`, (model, { mock, snapshots }) => {
      model.snapshots.push({ ...open(model, sandbox) })
      snapshots.push(mock.sandbox(sandbox).snapshot())
    }),
  ),
  fc.tuple(sandboxName, fc.nat()).map(
    ([sandbox, drawn]): Command => ({
      ...toCommand(`restore ${drawn} into ${sandbox}`, (model, { mock, snapshots }) => {
        const index = drawn % snapshots.length
        mock.sandbox(sandbox).restore(snapshots[index] as Snapshot)
        Object.assign(open(model, sandbox), model.snapshots[index])
      }),
      check: (model) => model.snapshots.length > 0,
    }),
  ),
]

test('any sequence of requests, controls, sandboxes and reseeds leaves what the model has', {
  timeout: 60_000,
}, async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  await fc.assert(
    fc.asyncProperty(
      fixtureName,
      fc.commands(commands, { maxCommands: 40, size: 'max' }),
      async (fixture, sequence) => {
        warn.mockClear()
        const model: Model = { seed: LISTS[fixture], sandboxes: new Map(), evictions: 0, snapshots: [] }
        open(model, 'default')
        const mock = createMock({ fixture: FIXTURES[fixture], maxSandboxes: MAX_SANDBOXES })
        await fc.asyncModelRun(() => ({ model, real: { mock, snapshots: [] } }), sequence)
        expect(warn).toHaveBeenCalledTimes(Math.min(model.evictions, 1))
      },
    ),
    { numRuns: 60 },
  )
})

/** What `mock.sandbox(name)`, and a request with its key, do. */
function open(model: Model, name: string): ModelSandbox {
  const { sandboxes } = model
  const own = sandboxes.get(name) ?? toLoaded(model.seed)
  if (name !== 'default') sandboxes.delete(name)
  sandboxes.set(name, own)
  if (sandboxes.size > MAX_SANDBOXES + 1) {
    const [, oldest = ''] = sandboxes.keys()
    sandboxes.delete(oldest)
    model.evictions += 1
  }
  return own
}

function toLoaded(seed: List): ModelSandbox {
  return { seed, list: seed }
}

function has(list: List, id: bigint): boolean {
  return list.some((item) => BigInt(item.petId) === id)
}

function change(list: List, id: bigint, next: Partial<InventoryItem>): List {
  return list.map((item) => (BigInt(item.petId) === id ? { ...item, ...next } : item))
}

/** A pet of the seed returns to its old place, and every other one comes last. */
function add({ seed, list }: ModelSandbox, added: InventoryItem): List {
  const places = new Map(seed.map(({ petId: id }, place) => [id, place]))
  const toPlace = ({ petId: id }: InventoryItem): number => places.get(id) ?? seed.length
  return [...list, added].toSorted((one, other) => toPlace(one) - toPlace(other))
}

/** By the sandboxes and their order, and in each by its controls and by the bytes that the service would send. */
function expectSame(model: Model, mock: Mock): void {
  const rooms = Array.from(toService(mock).sandboxes.values())
  expect(rooms.map(({ controls }) => controls.name)).toEqual([...model.sandboxes.keys()])
  for (const { controls, state } of rooms) {
    const { list } = model.sandboxes.get(controls.name) as ModelSandbox
    const wanted = toText(list)
    expect(toText(controls.inventory.list())).toBe(wanted)
    expect(new TextDecoder().decode(state.toList())).toBe(wanted)
    expect(controls.inventory.size).toBe(list.length)
  }
}

const texts = new WeakMap<List, string>()

function toText(list: List): string {
  const text = texts.get(list) ?? `[${list.map(toItemText).join(',')}]`
  texts.set(list, text)
  return text
}

function toItemText({ petId: id, quantity: stock, status: state }: InventoryItem): string {
  return `{"petId":${id},"quantity":${stock},"status":"${state}"}`
}
