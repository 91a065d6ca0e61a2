/// <reference lib="esnext.disposable" preserve="true" />

import * as v from 'valibot'
import {
  assertApiKey,
  assertSandboxName,
  createAuthenticator,
  DEFAULT_API_KEY,
  DEFAULT_SANDBOX,
} from '../auth/authenticator.ts'
import type { Health } from '../control/contract.ts'
import { readBaseUrl } from '../http/base-url.ts'
import { ASYNC_DISPOSE } from '../http/globals.ts'
import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'
import { callback, mustSecretly, object, parseWith } from '../http/schema.ts'
import { type Pet, type PetIdLike, toInventoryItem, toPetKey } from '../inventory/pet.ts'
import type { Clock } from '../sandbox/clock.ts'
import { parseFault, toFault } from '../sandbox/fault.ts'
import type { ActiveFault } from '../sandbox/faults.ts'
import {
  type PetChange,
  parsePet,
  parsePetChange,
  toDuplicatePet,
  toUnknownPet,
} from '../sandbox/inventory-controls.ts'
import { toIncompleteError } from '../sandbox/journal.ts'
import type { JournalEntry } from '../sandbox/journal-entry.ts'
import { type JournalFilter, parseJournalFilter } from '../sandbox/journal-filter.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Har } from '../sandbox/to-har.ts'
import type { Fixture } from '../store/fixture.ts'
import { COUNT, parsePetQuery } from '../store/pet-query.ts'
import { type Ask, type ControlOptions, createAsk, TRANSPORT } from './ask-control.ts'

export type { Health } from '../control/contract.ts'
export type { Snapshot } from '../sandbox/sandbox.ts'

/** The options of {@link connectMock}. */
export interface ConnectOptions {
  /**
   * An API key of the mock. The sandbox's API key is derived from it. The first request asks the mock to check it.
   * @default 'demo-key'
   */
  readonly apiKey?: string
  /**
   * The sandbox to control. Created on first use.
   * @default 'default'
   */
  readonly sandbox?: string
  /** The mock's `--control-token`, if it has one. */
  readonly controlToken?: string
  /**
   * Sends the requests.
   * @default globalThis.fetch
   */
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>
}

const secret = v.string(mustSecretly('a string'))

const OPTIONS = object<ConnectOptions & { apiKey: string; sandbox: string }>({
  apiKey: v.optional(secret, DEFAULT_API_KEY),
  // `assertSandboxName` checks the name.
  sandbox: v.optional(v.any(), DEFAULT_SANDBOX),
  controlToken: v.optional(secret),
  fetch: v.optional(callback<NonNullable<ConnectOptions['fetch']>>()),
})

/** Controls, asynchronous: a method returns a promise, and a property with a value is a method. */
export type Remote<Controls> = {
  readonly [Name in keyof Controls]: Controls[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : Controls[Name] extends readonly (infer Item)[]
      ? () => Promise<Item[]>
      : Controls[Name] extends object
        ? Remote<Controls[Name]>
        : () => Promise<Controls[Name]>
}

/**
 * Controls one sandbox of a mock in another process, like `mock.sandbox(name)` but asynchronous. A value that only the mock
 * checks is refused with `CONTROL_REFUSED`. `inventory.set` and `add` first ask whether the pet exists, which is not
 * atomic: use a sandbox in one test at a time.
 */
export interface RemoteMock
  extends AsyncDisposable,
    Pick<Sandbox, 'name' | 'apiKey'>,
    Remote<Pick<Sandbox, 'inventory' | 'journal' | 'faults' | 'setDelay' | 'reset' | 'load' | 'snapshot' | 'restore'>> {
  /** The clock of the mock, which all its sandboxes share. */
  readonly clock: Remote<Clock>
  /**
   * Returns the version, fixture and size of the mock. Use it to check that the mock is running.
   * @throws {MockError} `CONTROL_UNREACHABLE`
   */
  health(): Promise<Health>
  /**
   * Writes the state to the file of `--state`.
   * @throws {MockError} `CONTROL_REFUSED` if the mock has no state file.
   */
  save(): Promise<void>
  /** Resets every sandbox of the mock. */
  resetAll(): Promise<void>
  /**
   * Controls another sandbox of the same mock.
   * @throws {MockError} `INVALID_SANDBOX`
   */
  sandbox(name: string): RemoteMock
  /** Removes this sandbox, or resets it if it is the default one. `await using` does this at the end of its block. */
  remove(): Promise<void>
}

/**
 * Controls a mock in another process through its control API. It sends no request until you call a method. Every method
 * may throw a `MockError`: `CONTROL_UNREACHABLE` if no mock is there, or `CONTROL_REFUSED` with the mock's error message,
 * for example if it does not know the `apiKey`.
 * @param url The address of the mock, such as `http://127.0.0.1:4100`, with the base path if that is not `/v1`.
 * @throws {MockError} `INVALID_OPTION`, `INVALID_SANDBOX`
 * @example
 * await using mock = connectMock('http://127.0.0.1:4100', { sandbox: 'checkout-7' })
 * await mock.faults.add({ operation: 'updateInventory', status: 503, times: 1 })
 * await placeOrder({ apiKey: mock.apiKey })
 * expect(await mock.journal.find({ operation: 'updateInventory' })).toHaveLength(2)
 */
export function connectMock(url: string | URL, options: ConnectOptions = {}): RemoteMock {
  const refusal = { failure: 'Failed to connect to a mock' }
  const { apiKey, ...parsed } = parseWith(OPTIONS, options, refusal)
  assertApiKey(apiKey, { ...refusal, subject: 'the option apiKey' })
  assertSandboxName(parsed.sandbox)
  return createRemoteMock({ ...parsed, url: parseUrl(url), toApiKey: createAuthenticator([apiKey], false).toApiKey })
}

type RemoteOptions = Omit<ControlOptions, 'apiKey'> & { readonly toApiKey: (sandbox: string) => string }

function createRemoteMock({ toApiKey, ...options }: RemoteOptions): RemoteMock {
  const { sandbox: name } = options
  const apiKey = toApiKey(name)
  const ask = createAsk({ ...options, apiKey })

  async function remove(): Promise<void> {
    if (name === DEFAULT_SANDBOX) await ask('POST /reset')
    else await ask('DELETE /sandboxes/{name}', { params: { name } })
  }

  return Object.assign<object, RemoteMock>(
    { [TRANSPORT]: options },
    {
      name,
      apiKey,
      inventory: createRemoteInventory(ask),
      journal: createRemoteJournal(ask),
      faults: createRemoteFaults(ask),
      clock: {
        now: async () => (await ask('GET /clock')).now,
        isVirtual: async () => (await ask('GET /clock')).mode === 'virtual',
        pending: async () => (await ask('GET /clock')).pending,
        useVirtual: () => ask('POST /clock', { body: { mode: 'virtual' } }).then(nothing),
        useReal: () => ask('POST /clock', { body: { mode: 'real' } }).then(nothing),
        advance: (ms) => ask('POST /clock', { body: { advance: ms } }).then(nothing),
      },
      setDelay: (delay) => ask('PUT /delay', { body: { delay: delay ?? null } }).then(nothing),
      reset: () => ask('POST /reset').then(nothing),
      load: (fixture) => ask('POST /load', { body: { fixture: fixture as Fixture } }).then(nothing),
      snapshot: () => ask('GET /state'),
      restore: (snapshot) => ask('PUT /state', { body: snapshot }).then(nothing),
      health: () => ask('GET /health'),
      save: () => ask('POST /state/save'),
      resetAll: () => ask('POST /reset', { query: { sandboxes: 'all' } }).then(nothing),
      sandbox(next) {
        assertSandboxName(next)
        return createRemoteMock({ ...options, toApiKey, sandbox: next })
      },
      remove,
      [ASYNC_DISPOSE]: remove,
    },
  )
}

/** The routes of some methods respond with the new state, which these do not return. */
const nothing = (): void => {}

function parseUrl(url: string | URL): URL {
  const given = url instanceof URL ? url.href : url
  const base = readBaseUrl(given)
  if (base?.origin !== undefined) return new URL(base.origin + base.path)
  const reason =
    given === ''
      ? 'the url is empty. `petstore-mock exec` sets PETSTORE_MOCK_URL for its command.'
      : `the url must be the http address of a mock, without /_mock or a query, such as http://127.0.0.1:4100, got ${showValue(given, 200)}.`
  throw new MockError('INVALID_OPTION', `Failed to connect to a mock: ${reason}`)
}

function createRemoteInventory(ask: Ask): RemoteMock['inventory'] {
  const toPath = (petId: PetIdLike) => ({ params: { petId: toPetKey(petId) } })
  const list = async () => (await ask('GET /state')).inventory
  const listPets = async () => (await list()).map((item): Pet => ({ ...item, petId: String(item.petId) }))
  const get = async (petId: PetIdLike) => (await ask('GET /pets/{petId}', toPath(petId))) ?? undefined
  const put = (petId: PetIdLike, body: PetChange) => ask('PUT /pets/{petId}', { ...toPath(petId), body })
  return {
    list,
    size: async () => (await list()).length,
    get,
    async findMany(query) {
      const select = parsePetQuery(query)
      return select(await listPets()).map(toInventoryItem)
    },
    async count(query) {
      const select = parsePetQuery(query, COUNT)
      return select(await listPets()).length
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
    remove: async (petId) => (await ask('DELETE /pets/{petId}', toPath(petId))) !== null,
  }
}

function createRemoteJournal(ask: Ask): RemoteMock['journal'] {
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
    export: async () => (await ask('GET /journal.har')) as Har,
  }
}

function createRemoteFaults(ask: Ask): RemoteMock['faults'] {
  return {
    add: async (given) => (await ask('POST /faults', { body: toFault(parseFault(given)) })) as ActiveFault,
    list: async () => (await ask('GET /faults')) as ActiveFault[],
    remove: async (id) => (await ask('DELETE /faults/{id}', { params: { id: String(id) } })) !== null,
    clear: () => ask('DELETE /faults'),
  }
}
