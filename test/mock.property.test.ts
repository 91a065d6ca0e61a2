import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMock, type InventoryItem, type Mock, type Sandbox, type Snapshot } from '../src/index.ts'

/** The model: what each sandbox lists, and the snapshots that were taken. */
interface Model {
  readonly lists: Map<string, readonly InventoryItem[]>
  readonly snapshots: (readonly InventoryItem[])[]
}

interface Real {
  readonly mock: Mock
  readonly snapshots: Snapshot[]
}

const FIXTURES = {
  default: createMock(),
  'int64-edges': createMock({ fixture: 'int64-edges' }),
  empty: createMock({ fixture: 'empty' }),
}
const listOf = (fixture: keyof typeof FIXTURES): readonly InventoryItem[] => FIXTURES[fixture].inventory.list()

const sandboxName = fc.constantFrom('default', 'a', 'b')
const petId = fc.oneof(
  fc.constantFrom(1n, 2n, 3n, 0n, -1n, 9007199254740992n, 9007199254740993n, 2n ** 63n - 1n),
  fc.bigInt(-3n, 12n),
)
const quantity = fc.maxSafeInteger().map((value) => value + 0)

type Command = fc.AsyncCommand<Model, Real>

/** One step: what it does to a list, and what it does to the sandbox. */
function toCommand(
  name: string,
  sandbox: string,
  step: (list: readonly InventoryItem[], real: Sandbox, mock: Mock) => Promise<readonly InventoryItem[]>,
): Command {
  return {
    check: () => true,
    toString: () => `${name} in ${sandbox}`,
    async run(model, { mock }) {
      const before = model.lists.get(sandbox) ?? listOf('default')
      const after = await step(before, mock.sandbox(sandbox), mock)
      model.lists.set(sandbox, after)
      for (const [other, expected] of model.lists) await expectList(mock, other, expected)
    },
  }
}

const commands = [
  fc.tuple(sandboxName, petId, quantity).map(([sandbox, id, value]) =>
    toCommand(`PATCH ${id} ${value}`, sandbox, async (list, { apiKey }, mock) => {
      const answer = await mock.fetch(`/v1/inventory/${id}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: `{"quantity":${value}}`,
      })
      expect(answer.status).toBe(list.some((item) => BigInt(item.petId) === id) ? 200 : 404)
      return list.map((item) => (BigInt(item.petId) === id ? { ...item, quantity: value } : item))
    }),
  ),
  fc.tuple(sandboxName, petId).map(([sandbox, id]) =>
    toCommand(`remove ${id}`, sandbox, async (list, { inventory }) => {
      expect(inventory.remove(id)).toBe(list.some((item) => BigInt(item.petId) === id))
      return list.filter((item) => BigInt(item.petId) !== id)
    }),
  ),
  fc.tuple(sandboxName, petId, quantity).map(([sandbox, id, value]) =>
    toCommand(`add ${id}`, sandbox, async (list, { inventory }) => {
      if (list.some((item) => BigInt(item.petId) === id)) return list
      return [...list, inventory.add({ petId: id, quantity: value, status: 'pending' })]
    }),
  ),
  fc.tuple(sandboxName, fc.constantFrom('default', 'int64-edges', 'empty')).map(([sandbox, fixture]) =>
    toCommand(`load ${fixture}`, sandbox, async (_list, real) => {
      real.load(fixture)
      return listOf(fixture)
    }),
  ),
  sandboxName.map((sandbox) =>
    toCommand('reset', sandbox, async (_list, real) => {
      real.reset()
      return listOf('default')
    }),
  ),
  sandboxName.map(
    (sandbox): Command => ({
      check: () => true,
      toString: () => `snapshot of ${sandbox}`,
      async run(model, { mock, snapshots }) {
        model.snapshots.push(model.lists.get(sandbox) ?? listOf('default'))
        snapshots.push(mock.sandbox(sandbox).snapshot())
      },
    }),
  ),
  fc.tuple(sandboxName, fc.nat()).map(
    ([sandbox, drawn]): Command => ({
      check: (model) => model.snapshots.length > 0,
      toString: () => `restore ${drawn} into ${sandbox}`,
      async run(model, { mock, snapshots }) {
        const index = drawn % snapshots.length
        mock.sandbox(sandbox).restore(snapshots[index] as Snapshot)
        model.lists.set(sandbox, model.snapshots[index] as readonly InventoryItem[])
        for (const [other, expected] of model.lists) await expectList(mock, other, expected)
      },
    }),
  ),
]

test('any sequence of requests, resets, loads, snapshots and sandboxes leaves what the model has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { size: 'medium' }), async (sequence) => {
      const setup = (): { model: Model; real: Real } => ({
        model: { lists: new Map(), snapshots: [] },
        real: { mock: createMock(), snapshots: [] },
      })
      await fc.asyncModelRun(setup, sequence)
    }),
    { numRuns: 100 },
  )
})

/** By the service's own list, and by the controls. */
async function expectList(mock: Mock, sandbox: string, expected: readonly InventoryItem[]): Promise<void> {
  const { apiKey, inventory } = mock.sandbox(sandbox)
  const answer = await mock.fetch('/v1/inventory', { headers: { authorization: `Bearer ${apiKey}` } })
  const wanted = toText(expected)
  expect(await answer.text()).toBe(wanted)
  expect(toText(inventory.list())).toBe(wanted)
}

function toText(list: readonly InventoryItem[]): string {
  const items = list.map((item) => `{"petId":${item.petId},"quantity":${item.quantity},"status":"${item.status}"}`)
  return `[${items.join(',')}]`
}
