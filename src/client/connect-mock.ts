import * as v from 'valibot'
import { createAuthenticator, DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { assertSandboxName, DEFAULT_SANDBOX } from '../auth/sandbox-name.ts'
import type { ControlSchemas } from '../contract/control-types.ts'
import { ASYNC_DISPOSE } from '../http/async-dispose.ts'
import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'
import { callback, mustSecretly, object, parseWith } from '../http/schema.ts'
import type { Delay } from '../sandbox/clock.ts'
import type { Fixture, FixtureItem } from '../store/fixture.ts'
import { type ControlOptions, createControl } from './create-control.ts'
import { createRemoteFaults, type RemoteFaults } from './remote-faults.ts'
import { createRemoteInventory, type RemoteInventory } from './remote-inventory.ts'
import { createRemoteJournal, type RemoteJournal } from './remote-journal.ts'

export type { RemoteFaults } from './remote-faults.ts'
export type { RemoteInventory } from './remote-inventory.ts'
export type { RemoteJournal } from './remote-journal.ts'

/** How to reach a mock. */
export interface ConnectOptions {
  /**
   * A key of the mock; the sandbox's key is made of it.
   * @default 'demo-key'
   */
  readonly apiKey?: string
  /**
   * The sandbox to act on, made on first use.
   * @default 'default'
   */
  readonly sandbox?: string
  /** What the mock was started with as `--control-token`. */
  readonly controlToken?: string
  /**
   * What carries the requests.
   * @default globalThis.fetch
   */
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>
}

type Carry = NonNullable<ConnectOptions['fetch']>

const secret = v.string(mustSecretly('a string'))

const OPTIONS = object<ConnectOptions & { apiKey: string; sandbox: string; fetch: Carry }>({
  apiKey: v.optional(secret, DEFAULT_API_KEY),
  // Its form is the matter of whoever opens it.
  sandbox: v.optional(
    v.custom<string>(() => true),
    DEFAULT_SANDBOX,
  ),
  controlToken: v.optional(secret),
  fetch: v.optional(callback<Carry>(), () => (url: URL, init: RequestInit) => globalThis.fetch(url, init)),
})

/** What a mock says of itself. */
export type Health = ControlSchemas['Health']

/** A state to return to; made by `snapshot()`. */
export interface RemoteSnapshot {
  readonly inventory: readonly FixtureItem[]
}

/** The controls over one sandbox of a mock that runs elsewhere: those of `mock.sandbox(name)`, as promises. */
export interface RemoteMock extends AsyncDisposable {
  /** The sandbox's name. */
  readonly name: string
  /** The API key that opens this sandbox. */
  readonly apiKey: string
  readonly inventory: RemoteInventory
  readonly journal: RemoteJournal
  readonly faults: RemoteFaults
  /** Makes every answer of this sandbox take its time, in milliseconds; `undefined` gives back the mock's own delay. */
  setDelay(delay: Delay | string | undefined): Promise<void>
  /** Back to the seed, without faults, delay and journal. */
  reset(): Promise<void>
  /** Replaces the state by a shipped fixture or one of your own. @throws {MockError} `CONTROL_REFUSED` */
  load(fixture: string | Fixture): Promise<void>
  snapshot(): Promise<RemoteSnapshot>
  restore(snapshot: RemoteSnapshot): Promise<void>
  /** Whether the mock answers, and with what. @throws {MockError} `CONTROL_UNREACHABLE` */
  health(): Promise<Health>
  /** Writes the state into the file of `--state`. @throws {MockError} `CONTROL_REFUSED` where there is none. */
  save(): Promise<void>
  /** The same controls over another sandbox. @throws {MockError} `INVALID_SANDBOX` */
  sandbox(name: string): RemoteMock
  /** Forgets this sandbox; the default one is reset instead. Also done at the end of `await using`. */
  remove(): Promise<void>
}

/**
 * Gives the controls of a mock that runs elsewhere, over its control API. Nothing is asked before the first call;
 * every call may throw `MockError` with `CONTROL_UNREACHABLE`, or `CONTROL_REFUSED` with what the mock answered.
 * @param url Where the mock is: `http://127.0.0.1:4100`. Its path does not count.
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
  assertSandboxName(sandbox)
  return createRemoteMock({
    url: parseUrl(url),
    sandbox,
    controlToken,
    fetch,
    toApiKey: createAuthenticator([apiKey], false).toApiKey,
  })
}

function createRemoteMock(options: ControlOptions & { readonly toApiKey: (sandbox: string) => string }): RemoteMock {
  const { sandbox: name, toApiKey } = options
  const control = createControl(options)
  const { ask, find } = control

  async function remove(): Promise<void> {
    if (name === DEFAULT_SANDBOX) await ask('reset')
    else await find('deleteSandbox', { params: { name } })
  }

  return {
    name,
    apiKey: toApiKey(name),
    inventory: createRemoteInventory(control),
    journal: createRemoteJournal(control),
    faults: createRemoteFaults(control),
    async setDelay(delay) {
      await ask('setDelay', { body: { delay: delay ?? null } })
    },
    async reset() {
      await ask('reset')
    },
    async load(fixture) {
      await ask('loadFixture', { body: { fixture } })
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
      return createRemoteMock({ ...options, sandbox: next })
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
    `Failed to connect to a mock: the url must be its http address, as http://127.0.0.1:4100, got ${showValue(url instanceof URL ? url.href : url, 200)}.`,
  )
}
