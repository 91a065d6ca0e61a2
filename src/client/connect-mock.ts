/// <reference lib="esnext.disposable" preserve="true" />

import * as v from 'valibot'
import {
  assertApiKey,
  assertSandboxName,
  createAuthenticator,
  DEFAULT_API_KEY,
  DEFAULT_SANDBOX,
} from '../auth/authenticator.ts'
import type { ControlSchemas } from '../contract/control-types.ts'
import { assertNoFixture } from '../http/assert-no-argument.ts'
import { ASYNC_DISPOSE } from '../http/async-dispose.ts'
import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'
import { callback, mustSecretly, object, parseWith } from '../http/schema.ts'
import { assertOneDelay, type Delay } from '../sandbox/delay.ts'
import type { Fixture, FixtureItem } from '../store/fixture.ts'
import type { FixtureSource } from '../store/seed.ts'
import { type ControlOptions, createControl } from './create-control.ts'
import { createRemoteClock, type RemoteClock } from './remote-clock.ts'
import { createRemoteFaults, type RemoteFaults } from './remote-faults.ts'
import { createRemoteInventory, type RemoteInventory } from './remote-inventory.ts'
import { createRemoteJournal, type RemoteJournal } from './remote-journal.ts'
import { createRemoteKeys, type RemoteKeys } from './remote-keys.ts'

export type { ClockState, RemoteClock } from './remote-clock.ts'
export type { RemoteFaults } from './remote-faults.ts'
export type { RemoteInventory } from './remote-inventory.ts'
export type { RemoteJournal } from './remote-journal.ts'
export type { RemoteKeys } from './remote-keys.ts'

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

type Carry = NonNullable<ConnectOptions['fetch']>

const secret = v.string(mustSecretly('a string'))

const OPTIONS = object<ConnectOptions & { apiKey: string; sandbox: string; fetch: Carry }>({
  apiKey: v.optional(secret, DEFAULT_API_KEY),
  // `assertSandboxName` checks the name.
  sandbox: v.optional(
    v.custom<string>(() => true),
    DEFAULT_SANDBOX,
  ),
  controlToken: v.optional(secret),
  fetch: v.optional(callback<Carry>(), () => (url: URL, init: RequestInit) => globalThis.fetch(url, init)),
})

/** The response of `GET /_mock/health`. */
export type Health = ControlSchemas['Health']

/** A saved state, made by `snapshot()`. */
export interface RemoteSnapshot {
  /** The pets, in the order in which the service lists them. */
  readonly inventory: readonly FixtureItem[]
}

/** Controls one sandbox of a mock in another process, like `mock.sandbox(name)` but asynchronous. */
export interface RemoteMock extends AsyncDisposable {
  /** The sandbox's name. */
  readonly name: string
  /** The API key that opens this sandbox. */
  readonly apiKey: string
  /** Reads and changes the pets without a request to the service. */
  readonly inventory: RemoteInventory
  /** The requests that the sandbox received. */
  readonly journal: RemoteJournal
  /** Injects faults. */
  readonly faults: RemoteFaults
  /** Adds and revokes API keys of this sandbox. */
  readonly apiKeys: RemoteKeys
  /** The clock of the mock, which all its sandboxes share. */
  readonly clock: RemoteClock
  /** Delays every response of this sandbox, in milliseconds. `undefined` restores the delay of the mock. */
  setDelay(delay: Delay | string | undefined): Promise<void>
  /**
   * Restores the seed, and removes handlers, faults, the delay, changes of API keys and journal entries. The clock, which
   * all sandboxes share, stays as it is: `clock.useReal()` returns to real time.
   */
  reset(): Promise<void>
  /**
   * Replaces the state with a shipped fixture or your own.
   * @throws {MockError} `CONTROL_REFUSED` when the fixture is invalid, `INVALID_FIXTURE` for a URL or bytes.
   */
  load(fixture: FixtureSource): Promise<void>
  /** Saves the current state. Return to it with `restore()`. */
  snapshot(): Promise<RemoteSnapshot>
  /** Returns to a saved state. */
  restore(snapshot: RemoteSnapshot): Promise<void>
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
 * @param url The address of the mock, such as `http://127.0.0.1:4100`. Its path is ignored.
 * @throws {MockError} `INVALID_OPTION`, `INVALID_SANDBOX`
 * @example
 * await using mock = connectMock('http://127.0.0.1:4100', { sandbox: 'checkout-7' })
 * await mock.faults.add({ operation: 'updateInventory', status: 503, times: 1 })
 * await placeOrder({ apiKey: mock.apiKey })
 * expect(await mock.journal.find({ operation: 'updateInventory' })).toHaveLength(2)
 */
export function connectMock(url: string | URL, options: ConnectOptions = {}): RemoteMock {
  const refusal = { failure: 'Failed to connect to a mock' }
  const { apiKey, sandbox, controlToken, fetch } = parseWith(OPTIONS, options, refusal)
  assertApiKey(apiKey, { ...refusal, subject: 'the option apiKey' })
  assertSandboxName(sandbox)
  return createRemoteMock({
    url: parseUrl(url),
    sandbox,
    controlToken,
    fetch,
    toApiKey: createAuthenticator([apiKey], false).toApiKey,
  })
}

type RemoteOptions = Omit<ControlOptions, 'apiKey'> & { readonly toApiKey: (sandbox: string) => string }

function createRemoteMock({ toApiKey, ...options }: RemoteOptions): RemoteMock {
  const { sandbox: name } = options
  const apiKey = toApiKey(name)
  const control = createControl({ ...options, apiKey })
  const { ask, find } = control

  async function remove(): Promise<void> {
    if (name === DEFAULT_SANDBOX) await ask('reset')
    else await find('deleteSandbox', { params: { name } })
  }

  return {
    name,
    apiKey,
    inventory: createRemoteInventory(control),
    journal: createRemoteJournal(control),
    faults: createRemoteFaults(control),
    apiKeys: createRemoteKeys(control),
    clock: createRemoteClock(control),
    async setDelay(delay, ...more: unknown[]) {
      assertOneDelay(delay, more)
      await ask('setDelay', { body: { delay: delay ?? null } })
    },
    async reset(...given: unknown[]) {
      assertNoFixture(given)
      await ask('reset')
    },
    async load(fixture) {
      await ask('loadFixture', { body: { fixture: fixture as string | Fixture } })
    },
    snapshot: () => ask('getState'),
    async restore(snapshot) {
      await ask('replaceState', { body: snapshot })
    },
    health: () => ask('getHealth'),
    async save() {
      await ask('saveState')
    },
    sandbox(next) {
      assertSandboxName(next)
      return createRemoteMock({ ...options, toApiKey, sandbox: next })
    },
    remove,
    [ASYNC_DISPOSE]: remove,
  }
}

function parseUrl(url: string | URL): URL {
  const parsed = typeof url === 'string' || url instanceof URL ? URL.parse(url) : null
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return parsed
  throw new MockError(
    'INVALID_OPTION',
    `Failed to connect to a mock: the url must be its http address, such as http://127.0.0.1:4100, got ${showValue(url instanceof URL ? url.href : url, 200)}.`,
  )
}
