import type { QuantityRange } from '../inventory/pet.ts'
import type { Profile } from '../inventory/profile.ts'
import type { Delay } from '../sandbox/clock.ts'
import type { UserHandler } from '../sandbox/user-handler.ts'
import type { FixtureSource } from '../store/seed.ts'
import type { Mock } from './mock.ts'
import type { Stub } from './stubs.ts'

/** msw handlers, or a function that creates them for a mock. */
export type HandlersOption = readonly UserHandler[] | ((mock: Mock) => readonly UserHandler[])

/** The options of `createMock`. */
export interface MockOptions {
  /**
   * The initial state, which `reset()` restores: the name of a shipped fixture (`default`, `empty`, `low-stock`,
   * `sold-out`, `int64-edges`) or of one of `fixtures`, the content of a fixture file, or an object.
   * @default the first of `fixtures`, or 'default'
   */
  readonly fixture?: FixtureSource
  /**
   * Your own fixtures by name, which `load()`, the control API and the console list before the shipped ones.
   * @default {}
   */
  readonly fixtures?: Readonly<Record<string, FixtureSource>>
  /**
   * The valid API keys. `key` opens the default sandbox, `key~name` the sandbox of that name.
   * @default ['demo-key']
   */
  readonly apiKeys?: readonly string[]
  /**
   * Accepts every non-empty API key. Cannot be combined with `apiKeys`.
   * @default false
   */
  readonly anyKey?: boolean
  /**
   * The base URL of the service: an address with a path, `https://api.petstore.example/v1`, only a path, or a list of
   * these. Intercepting runtimes answer a path at every origin, and an address only at its own origin. `mock.fetch` and
   * the server ignore the origin and answer below each path. Links and logs use the first one.
   * @default '/v1'
   */
  readonly baseUrl?: string | readonly string[]
  /**
   * The smallest and the largest quantity that an update may set, inclusive.
   * @default { min: -(2^53−1), max: 2^53−1 }
   */
  readonly quantity?: Partial<QuantityRange>
  /** The date in the `Sunset` header (RFC 8594) of deprecated operations. Without a date, the header is not sent. */
  readonly sunset?: Date | string
  /**
   * The delay of every response in milliseconds: fixed, `200`, or drawn from a range, `[100, 300]` or `'100-300'`.
   * @default 0
   */
  readonly delay?: Delay | string
  /**
   * The seed of the random sequences from which delays and faults are drawn. Each sandbox has its own sequence.
   * @default 1
   */
  readonly randomSeed?: number
  /**
   * The maximum number of exchanges in the journal of a sandbox.
   * @default 1000
   */
  readonly journalSize?: number
  /**
   * The maximum number of sandboxes, without the default one. Above it, the least recently used one is evicted.
   * @default 10000
   */
  readonly maxSandboxes?: number
  /**
   * Lets a request choose its response with `Prefer: code=404` and `Prefer: delay=500` (RFC 7240).
   * @default false
   */
  readonly prefer?: boolean
  /** Called by `POST /_mock/state/save`. Without it, the route responds that there is no state file. */
  readonly saveState?: () => Promise<void>
  /**
   * msw handlers, which run before the mock's own in every sandbox, or a function that is called once with the mock and
   * returns them. `reset()` keeps them. A handler for an operation runs after the key check of that operation.
   */
  readonly handlers?: HandlersOption
  /**
   * An http address without a user or password. It gets the requests whose responses the specification does not show:
   * the two operations without a shape, and every path outside the operations. Your own handlers run first. Credentials
   * are removed unless `keys` is true. A target that does not respond is a 502.
   * @example
   * createMock({ proxy: { url: 'https://api.petstore.example', keys: true } })
   */
  readonly proxy?: string | ProxyOptions
  /**
   * Fixed responses to requests that the specification does not show, without code. Your own handlers run first, and
   * `proxy` gets only what has no stub.
   * @example
   * createMock({ stubs: [{ path: '/pets/{petId}', body: { name: 'Rex' } }, { path: '/pets/404', status: 404 }] })
   */
  readonly stubs?: readonly Stub[]
  /**
   * How a real service decides where the specification is silent: the content of a file that
   * `petstore-mock check URL --write --write-profile FILE` wrote, or an object.
   * @default the mock's own decisions
   * @example
   * createMock({ profile: { order: '400, 401, 404', quantity: { min: 0 } } })
   */
  readonly profile?: Profile
}

/** Where requests go that the specification does not show. */
export interface ProxyOptions {
  /** An http address without a user or password. The path of a request is appended to it. */
  readonly url: string
  /**
   * Whether keys, cookies and other credentials are passed on.
   * @default false
   */
  readonly keys?: boolean
  /**
   * The origins, such as `https://app.example`, of pages that may send requests to the target through a server. Pages
   * from loopback always may.
   * @default []
   */
  readonly origins?: readonly string[]
}
