import type { KeyControls } from '../auth/authenticator.ts'
import { type InventoryItem, type Pet, type PetIdLike, toInventoryItem, toPetKey } from '../inventory/pet.ts'
import { parseFault, toFault } from '../sandbox/fault.ts'
import type { ActiveFault, FaultControls } from '../sandbox/faults.ts'
import type { History } from '../sandbox/history.ts'
import {
  type InventoryControls,
  type PetChange,
  parsePet,
  parsePetChange,
  toDuplicatePet,
  toUnknownPet,
} from '../sandbox/inventory-controls.ts'
import { type Journal, toIncompleteError } from '../sandbox/journal.ts'
import type { JournalEntry } from '../sandbox/journal-entry.ts'
import { type JournalFilter, parseJournalFilter } from '../sandbox/journal-filter.ts'
import { COUNT, parsePetQuery } from '../store/pet-query.ts'
import type { Control } from './ask-control.ts'

/** Controls of a sandbox, asynchronous: a method returns a promise, and a property is a method. */
export type Remote<Controls> = {
  readonly [Name in keyof Controls]: Controls[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Result>
    : Controls[Name] extends readonly (infer Item)[]
      ? () => Promise<Item[]>
      : () => Promise<Controls[Name]>
}

/**
 * `mock.inventory` of a mock in another process, without `size`. An invalid query or value that only the mock notices is a
 * `CONTROL_REFUSED`. `set` and `add` first check whether the pet exists. The check is not atomic: use a sandbox in one
 * test at a time.
 */
export type RemoteInventory = Remote<Omit<InventoryControls, 'size'>>

/** `mock.journal` of a mock in another process. `entries()` and `dropped()` are methods. */
export type RemoteJournal = Remote<Journal>

/** `mock.faults` of a mock in another process. */
export type RemoteFaults = Remote<FaultControls>

/** `mock.apiKeys` of a mock in another process, which refuses an invalid key with `CONTROL_REFUSED`. */
export type RemoteKeys = Remote<KeyControls>

/** `mock.history` of a mock in another process, which refuses an unknown id with `CONTROL_REFUSED`. */
export type RemoteHistory = Remote<History>

export function createRemoteHistory({ ask }: Control): RemoteHistory {
  return {
    list: async () => [...(await ask('GET /history'))],
    undo: async () => (await ask('POST /history/undo', { body: {} }))[0],
    redo: async () => (await ask('POST /history/redo'))[0],
    // `null` is refused. Without an id, as JSON writes `undefined`, the latest change would be undone.
    undoTo: async (id) => [...(await ask('POST /history/undo', { body: { id: id ?? (null as never) } }))],
  }
}

export function createRemoteInventory({ ask, find }: Control): RemoteInventory {
  const toPath = (petId: PetIdLike) => ({ params: { petId: toPetKey(petId) } })
  const list = async () => (await ask('GET /state')).inventory
  const listPets = async () => (await list()).map((item): Pet => ({ ...item, petId: String(item.petId) }))
  const get = (petId: PetIdLike) => find('GET /pets/{petId}', toPath(petId))
  const put = (petId: PetIdLike, body: PetChange) => ask('PUT /pets/{petId}', { ...toPath(petId), body })
  return {
    list,
    get: async (petId): Promise<InventoryItem | undefined> => get(petId),
    async findMany(query) {
      const { matches, arrange } = parsePetQuery(query)
      return arrange((await listPets()).filter(matches)).map(toInventoryItem)
    },
    async count(query) {
      const { matches } = parsePetQuery(query, COUNT)
      return (await listPets()).filter(matches).length
    },
    async set(petId, given) {
      const change = parsePetChange(given)
      if ((await get(petId)) !== undefined) return put(petId, change)
      throw toUnknownPet(toPetKey(petId))
    },
    async add(item) {
      const { petId, quantity, status } = parsePet(item)
      if ((await get(petId)) === undefined) return put(petId, { quantity, status })
      throw toDuplicatePet(petId)
    },
    remove: async (petId) => (await find('DELETE /pets/{petId}', toPath(petId))) !== undefined,
  }
}

export function createRemoteJournal({ ask }: Control): RemoteJournal {
  /** The server filters by all properties except `body` and `headers`, which are compared here. */
  async function search(filter: JournalFilter) {
    const { matches } = parseJournalFilter(filter)
    const { body: _body, headers: _headers, ...query } = filter
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const parameters = Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
    const page = await ask('GET /journal', { query: parameters })
    return { ...page, entries: (page.entries as JournalEntry[]).filter(matches) }
  }

  const entries = async (): Promise<JournalEntry[]> => (await search({})).entries
  // Otherwise `expect(remote.journal.entries).toHaveLength(0)` passes: a function without parameters has the length 0.
  Object.defineProperty(entries, 'length', { value: undefined })
  return {
    entries,
    dropped: async () => (await ask('GET /journal', { query: { limit: '1' } })).dropped,
    async find(filter = {}) {
      const { entries, dropped, isComplete } = await search(filter)
      if (isComplete) return entries
      throw toIncompleteError(dropped)
    },
    async last(filter = {}) {
      const { entries, dropped, isComplete } = await search(filter)
      if (entries.length > 0 || isComplete) return entries.at(-1)
      throw toIncompleteError(dropped)
    },
    clear: () => ask('DELETE /journal'),
  }
}

export function createRemoteFaults({ ask, find }: Control): RemoteFaults {
  return {
    add: async (given) => (await ask('POST /faults', { body: toFault(parseFault(given)) })) as ActiveFault,
    list: async () => (await ask('GET /faults')) as ActiveFault[],
    remove: async (id) => (await find('DELETE /faults/{id}', { params: { id: String(id) } })) !== undefined,
    clear: () => ask('DELETE /faults'),
  }
}
