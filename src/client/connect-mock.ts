/// <reference lib="esnext.disposable" preserve="true" />

import * as v from 'valibot'
import {
  assertApiKey,
  assertSandboxName,
  createAuthenticator,
  DEFAULT_API_KEY,
  DEFAULT_SANDBOX,
} from '../auth/authenticator.ts'
import type { ClockState, Health } from '../control/contract.ts'
import { ASYNC_DISPOSE } from '../http/globals.ts'
import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'
import { callback, mustSecretly, object, parseWith } from '../http/schema.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Fixture, FixtureItem } from '../store/fixture.ts'
import { type ControlOptions, createControl, TRANSPORT } from './ask-control.ts'
import {
  createRemoteFaults,
  createRemoteHistory,
  createRemoteInventory,
  createRemoteJournal,
  type Remote,
  type RemoteFaults,
  type RemoteHistory,
  type RemoteInventory,
  type RemoteJournal,
  type RemoteKeys,
} from './remote-controls.ts'

export type { ClockState, Health } from '../control/contract.ts'
export type { RemoteFaults, RemoteHistory, RemoteInventory, RemoteJournal, RemoteKeys } from './remote-controls.ts'

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

/** A saved state, made by `snapshot()`. */
export interface RemoteSnapshot {
  /** The pets, in the order in which the service lists them. */
  readonly inventory: readonly FixtureItem[]
}

/** `mock.clock` of a mock in another process. Every method resolves to the clock as it is then. */
export interface RemoteClock {
  /** Changes nothing. */
  get(): Promise<ClockState>
  /** Stops time: new delays end only through `advance()`. */
  useVirtual(): Promise<ClockState>
  /** Returns to real time. Delays in progress end immediately. */
  useReal(): Promise<ClockState>
  /**
   * Moves virtual time forward by milliseconds. Resolves when all due delays have ended.
   * @throws {MockError} `CONTROL_REFUSED` in real time.
   */
  advance(ms: number): Promise<ClockState>
}

/** Controls one sandbox of a mock in another process, like `mock.sandbox(name)` but asynchronous. */
export interface RemoteMock
  extends AsyncDisposable,
    Pick<Sandbox, 'name' | 'apiKey'>,
    Remote<Pick<Sandbox, 'setDelay' | 'reset' | 'load'>> {
  /** Reads and changes the pets without a request to the service. */
  readonly inventory: RemoteInventory
  /** The requests that the sandbox received. */
  readonly journal: RemoteJournal
  /** The changes of the inventory, to undo and redo. */
  readonly history: RemoteHistory
  /** Injects faults. */
  readonly faults: RemoteFaults
  /** Adds and revokes API keys of this sandbox. */
  readonly apiKeys: RemoteKeys
  /** The clock of the mock, which all its sandboxes share. */
  readonly clock: RemoteClock
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
  const control = createControl({ ...options, apiKey })
  const { ask, find } = control

  async function remove(): Promise<void> {
    if (name === DEFAULT_SANDBOX) await ask('POST /reset')
    else await find('DELETE /sandboxes/{name}', { params: { name } })
  }

  return Object.assign<object, RemoteMock>(
    { [TRANSPORT]: options },
    {
      name,
      apiKey,
      inventory: createRemoteInventory(control),
      journal: createRemoteJournal(control),
      history: createRemoteHistory(control),
      faults: createRemoteFaults(control),
      apiKeys: {
        add: (key) => ask('POST /keys', { body: { add: key } }),
        revoke: (key) => ask('POST /keys', { body: { revoke: key } }),
      },
      clock: {
        get: () => ask('GET /clock'),
        useVirtual: () => ask('POST /clock', { body: { mode: 'virtual' } }),
        useReal: () => ask('POST /clock', { body: { mode: 'real' } }),
        advance: (ms) => ask('POST /clock', { body: { advance: ms } }),
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
  const parsed = typeof url === 'string' || url instanceof URL ? URL.parse(url) : null
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return parsed
  throw new MockError(
    'INVALID_OPTION',
    `Failed to connect to a mock: the url must be its http address, such as http://127.0.0.1:4100, got ${showValue(url instanceof URL ? url.href : url, 200)}.`,
  )
}
