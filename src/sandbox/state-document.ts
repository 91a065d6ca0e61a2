import type { Pet, PetKey } from '../inventory/pet.ts'
import type { StateSnapshot } from '../store/inventory-state.ts'
import type { PetRecord } from '../store/pet-table.ts'
import type { Seed } from '../store/seed.ts'
import type { SandboxInternals } from './sandbox.ts'
import type { Sandboxes } from './sandboxes.ts'

/**
 * The version of the format that the mock writes. Each line is a JSON object, so that a state of any size can be
 * written and read in pieces. A seed is written once, and each sandbox as the changes of its seed:
 *
 *     {"version":2}
 *     {"seed":"default"}
 *     {"pets":[[1,12,"available"],[2,3,"pending"]]}
 *     {"sandbox":"checkout-7","seed":0}
 *     {"removed":[1]}
 *     {"changed":[[0,11]]}
 *     {"added":[["9223372036854775807",5,"sold"]]}
 *     {"end":1}
 *
 * A pet is `[petId, quantity, status]`. In `removed` and `changed`, a pet is its index in the seed's list, which needs
 * no search; `changed` has a status only if that changed. A sandbox names its seed by index, too. The last line counts
 * the sandboxes: a file without it is incomplete.
 */
export const STATE_VERSION = 2

/** The maximum number of pets in one line. */
export const LINE_LENGTH = 512

/** The size of a state document. */
export interface StateSummary {
  readonly sandboxes: number
  /** The number of pets that differ from the seeds of their sandboxes. */
  readonly changes: number
}

interface StateDocument {
  readonly summary: StateSummary
  /** Generated lazily. A change in the meantime does not affect them. */
  readonly lines: Iterable<string>
}

interface FrozenState {
  readonly name: string
  readonly snapshot: StateSnapshot
}

/** Writes the present states of the default sandbox and of all sandboxes that differ from the mock's seed. */
export function writeStateDocument(sandboxes: Sandboxes): StateDocument {
  const written = Array.from(sandboxes.values()).filter(
    (sandbox) => sandbox === sandboxes.default || sandbox.state.changes > 0 || sandbox.state.seed !== sandboxes.seed,
  )
  const states = written.map(({ controls, state }) => ({ name: controls.name, snapshot: state.snapshot() }))
  return { summary: toSummary(written), lines: writeLines(states) }
}

export function toSummary(sandboxes: readonly Pick<SandboxInternals, 'state'>[]): StateSummary {
  let changes = 0
  for (const { state } of sandboxes) changes += state.changes
  return { sandboxes: sandboxes.length, changes }
}

function* writeLines(states: readonly FrozenState[]): Generator<string> {
  yield toLine({ version: STATE_VERSION })
  const seeds = new Map<Seed, number>()
  for (const { name, snapshot } of states) {
    const { seed, removed, changed, added } = snapshot
    const known = seeds.get(seed)
    const index = known ?? seeds.size
    if (known === undefined) {
      seeds.set(seed, index)
      yield toLine({ seed: seed.name })
      yield* writePets(seed)
    }
    yield toLine({ sandbox: name, seed: index })
    yield* writeItems('removed', removed, (petId) => String(seed.pets.get(petId)?.position))
    yield* writeItems('changed', changed, (pet) => toChange(pet, seed))
    yield* writeItems('added', added, toTuple)
  }
  yield toLine({ end: states.length })
}

/** Writes the pets of a seed, line by line. */
export function writePets(seed: Seed): Iterable<string> {
  return writeItems('pets', seed.pets.values(), toTuple)
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`
}

function* writeItems<Item>(name: string, items: Iterable<Item>, write: (item: Item) => string): Generator<string> {
  let text = ''
  let count = 0
  for (const item of items) {
    text += count === 0 ? write(item) : `,${write(item)}`
    count += 1
    if (count < LINE_LENGTH) continue
    yield `{"${name}":[${text}]}\n`
    text = ''
    count = 0
  }
  if (count > 0) yield `{"${name}":[${text}]}\n`
}

function toTuple({ petId, quantity, status }: Pet): string {
  return `[${toId(petId)},${quantity},"${status}"]`
}

function toChange({ position, quantity, status }: PetRecord, seed: Seed): string {
  return seed.at(position)?.status === status ? `[${position},${quantity}]` : `[${position},${quantity},"${status}"]`
}

/** As in fixtures, an id beyond ±(2^53−1) is a string, so that no tool rounds it. */
function toId(petId: PetKey): string {
  return petId.length < 16 || Number.isSafeInteger(Number(petId)) ? petId : `"${petId}"`
}
