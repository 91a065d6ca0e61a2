import { MockError } from '../http/mock-error.ts'
import { quote } from '../http/quote.ts'
import { type InventoryItem, type PetId, toInventoryItem } from '../inventory/pet.ts'
import { type InventoryState, type Layer, type StateChange, weighLayer } from '../store/inventory-state.ts'
import type { PetRecord } from '../store/pet-table.ts'
import type { Seeds } from '../store/seed.ts'
import type { SandboxEvents } from './events.ts'

/** A change of the inventory. */
export interface HistoryEntry {
  /** Counts up in each sandbox. */
  readonly id: number
  /** Missing if the whole state was replaced. */
  readonly petId?: PetId | undefined
  /** The pet before. Missing if it was added. */
  readonly before?: InventoryItem | undefined
  /** The pet after. Missing if it was removed. */
  readonly after?: InventoryItem | undefined
  /** The id of the exchange in the journal that made the change. */
  readonly exchange?: number | undefined
  /** The control route that made it, such as `PUT /pets/{petId}`. Without both, the mock's own program did. */
  readonly route?: string | undefined
  /** Whether it is undone. The next new change drops it. */
  readonly isUndone: boolean
}

/** The latest 1,000 changes of a sandbox's inventory. `reset()`, `reseed()` and `importState()` clear them. */
export interface History {
  /** The changes, oldest first. Those that are undone come last. */
  list(): HistoryEntry[]
  /** Undoes the latest change and returns it; `undefined` if there is none. Only the inventory changes. */
  undo(): HistoryEntry | undefined
  /** Makes the change that was undone last again and returns it; `undefined` if there is none. */
  redo(): HistoryEntry | undefined
  /**
   * Undoes the change with this id and all later ones. Returns them, latest first.
   * @throws {MockError} `INVALID_OPTION` if there is no such change, or it is undone already.
   */
  undoTo(id: number): HistoryEntry[]
}

const MOST_CHANGES = 1000
/** In bytes. If the replaced states hold more, the oldest changes are dropped, but never the latest one. */
const LARGEST_HISTORY = 32 * 1024 ** 2
/** The measured size of a change with its pets, in bytes. */
const CHANGE_BYTES = 200
/** The measured size of a loaded pet with its part of the serialized list, in bytes. */
export const LOADED_PET_BYTES = 256

interface KeptChange {
  readonly id: number
  readonly before: PetRecord | undefined
  readonly after: PetRecord | undefined
  /** What the next undo or redo puts in place, if the whole state was replaced. */
  layer: Layer | undefined
  readonly route: string | undefined
  /** Set when the journal has it. */
  exchange: number | undefined
}

interface HistoryOptions {
  readonly state: InventoryState
  /** The memory of these does not count. */
  readonly seeds: Seeds
  readonly events: SandboxEvents
}

/** The history as the service uses it. */
export class SandboxHistory implements History {
  /** The control route that is running. */
  route: string | undefined
  /** Changes are not noted while they are only repeated. */
  isPaused = false
  readonly #options: HistoryOptions
  #changes: KeptChange[] = []
  /** How many of the changes are not undone. */
  #done = 0
  #newestId = 0

  constructor(options: HistoryOptions) {
    this.#options = options
  }

  get weight(): number {
    return this.#weighLayers() + this.#changes.length * CHANGE_BYTES
  }

  readonly list = (): HistoryEntry[] => this.#changes.map((change, index) => toEntry(change, index >= this.#done))

  readonly undo = (): HistoryEntry | undefined => this.#move(this.#done - 1)[0]

  readonly redo = (): HistoryEntry | undefined => this.#move(this.#done + 1)[0]

  readonly undoTo = (id: number): HistoryEntry[] => {
    const index = this.#changes.findIndex((change) => change.id === id)
    if (index >= 0 && index < this.#done) return this.#move(index)
    throw new MockError('INVALID_OPTION', `Failed to undo: nothing to undo has id ${quote(id)}. See history.list().`)
  }

  clear(): void {
    this.#changes = []
    this.#done = 0
  }

  /** Adds a change, unless it replaces the whole state with the same one. */
  note(change: StateChange): void {
    if (this.isPaused) return
    const before = change.type === 'state' ? undefined : change.before
    const after = change.type === 'pet' ? change.pet : undefined
    const layer = change.type === 'state' ? change.before : undefined
    const { state } = this.#options
    if (layer?.seed === state.seed && weighLayer(layer) + state.changes === 0) return
    this.#newestId += 1
    const added: KeptChange = { id: this.#newestId, before, after, layer, route: this.route, exchange: undefined }
    // The journal adds the exchange's id to the change when it records the exchange.
    if (change.type === 'pet' && change.cause !== undefined) change.cause.change = added
    this.#changes.length = this.#done
    this.#changes.push(added)
    if (this.#changes.length > MOST_CHANGES) this.#changes.shift()
    if (layer !== undefined)
      while (this.#changes.length > 1 && this.#weighLayers() > LARGEST_HISTORY) this.#changes.shift()
    this.#done = this.#changes.length
  }

  /** Undoes or redoes changes until this many are done. */
  #move(done: number): HistoryEntry[] {
    const { state, events } = this.#options
    const isUndo = done < this.#done
    const moved = isUndo ? this.#changes.slice(done, this.#done).reverse() : this.#changes.slice(this.#done, done)
    const [first, ...others] = moved
    if (first === undefined) return []
    for (const change of moved) {
      const petId = (change.before ?? change.after)?.petId
      if (petId !== undefined) state.revert(petId, isUndo ? change.before : change.after)
      else if (change.layer !== undefined) change.layer = state.swap(change.layer)
    }
    this.#done = done
    const [gone, pet] = isUndo ? [first.after, first.before] : [first.before, first.after]
    // A pet that comes back stands at its former place in the list, which only `state` tells.
    const pets = moved.flatMap(({ before, after }) => (before ?? after)?.petId ?? [])
    if (others.length > 0 || gone === undefined)
      events.emit({ type: 'state', pets: pets.length === moved.length ? pets : undefined })
    else events.emit(pet === undefined ? { type: 'pet-removed', petId: gone.petId } : { type: 'pet', pet })
    return moved.map((change) => toEntry(change, isUndo))
  }

  /** The memory of the replaced states in bytes, without seeds that do not count. */
  #weighLayers(): number {
    const layers = this.#changes.flatMap(({ layer }) => layer ?? [])
    const seeds = layers.map(({ seed }) => (this.#options.seeds.has(seed) ? 0 : LOADED_PET_BYTES * seed.length))
    return [...layers.map(weighLayer), ...seeds].reduce((sum, bytes) => sum + bytes, 0)
  }
}

function toEntry({ id, before, after, exchange, route }: KeptChange, isUndone: boolean): HistoryEntry {
  const [then, now] = [before && toInventoryItem(before), after && toInventoryItem(after)]
  return { id, petId: (then ?? now)?.petId, before: then, after: now, exchange, route, isUndone }
}
