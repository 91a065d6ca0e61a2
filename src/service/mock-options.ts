import * as v from 'valibot'
import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { FIDELITY, type Fidelity } from '../control/fidelity.ts'
import { BASE_URLS, type BaseUrls, DEFAULT_BASE_URL } from '../http/base-url.ts'
import { HIDDEN } from '../http/hide-credentials.ts'
import { MockError } from '../http/mock-error.ts'
import {
  boolean,
  callback,
  must,
  mustSecretly,
  object,
  parseWith,
  readAs,
  type Schema,
  safeInteger,
  string,
  whole,
} from '../http/schema.ts'
import { PROFILE, type Profile, QUANTITY_RANGE, type Rules, toRange } from '../inventory/profile.ts'
import type { QuantityRange } from '../inventory/stock-update.ts'
import { DELAY, type Delay } from '../sandbox/clock.ts'
import { DEFAULT_JOURNAL_SIZE } from '../sandbox/journal.ts'
import { USER_HANDLERS, type UserHandler } from '../sandbox/user-handler.ts'
import { FIXTURE_SOURCE, type FixtureSource } from '../store/load-seed.ts'
import type { Mock } from './mock.ts'
import type { NamedProxy, ProxyTarget } from './proxy-request.ts'
import { createStubs, type FindStub, type ParsedStub, STUBS, type Stub } from './stubs.ts'

/** msw handlers, or a function that creates them for a mock. */
export type HandlersOption = readonly UserHandler[] | ((mock: Mock) => readonly UserHandler[])

/** The options of `createMock`. */
export interface MockOptions {
  /**
   * The initial state, which `reset()` restores: the name of a shipped fixture (`default`, `empty`, `low-stock`,
   * `sold-out`, `int64-edges`), the content of a fixture file, or an object.
   * @default 'default'
   */
  readonly fixture?: FixtureSource
  /**
   * The name of your own fixture in messages and `GET /_mock/health`.
   * @default 'custom'
   */
  readonly fixtureName?: string
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
   * `petstore-mock check URL --write --profile FILE` wrote, or an object.
   * @default the mock's own decisions
   * @example
   * createMock({ profile: { order: '400, 401, 404', quantity: { min: 0 } } })
   */
  readonly profile?: Profile
  /**
   * What the mock's rules are based on, which `GET /_mock/fidelity` and the console show: the content of a file that
   * `petstore-mock check URL --record FILE` wrote.
   */
  readonly fidelity?: Fidelity
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
}

/** The validated options with all defaults. */
export interface ReadOptions
  extends Required<
    Omit<
      MockOptions,
      'baseUrl' | 'quantity' | 'sunset' | 'delay' | 'saveState' | 'proxy' | 'stubs' | 'profile' | 'fidelity'
    >
  > {
  readonly baseUrl: BaseUrls
  readonly quantity: Partial<QuantityRange>
  readonly sunset: Date | undefined
  readonly delay: Delay
  readonly saveState: (() => Promise<void>) | undefined
  readonly proxy: ProxyTarget | undefined
  readonly stubs: readonly ParsedStub[]
  readonly profile: Rules
  readonly fidelity: Fidelity | undefined
}

/** The validated options with the mock's own handlers, the lookup of its stubs, and its rules. */
export interface ParsedOptions extends Omit<ReadOptions, 'handlers' | 'stubs' | 'profile' | 'quantity' | 'proxy'> {
  readonly proxy: NamedProxy | undefined
  readonly handlers: readonly UserHandler[]
  readonly rules: Rules
  readonly findStub: FindStub | undefined
}

/** The date of the Sunset header. @internal */
export const SUNSET: Schema<Date> = readAs(readDate, 'a date')

const DEFAULT_MAX_SANDBOXES = 10_000

/** `createAuthenticator` validates each key. Messages never show a key. */
const API_KEYS: Schema<readonly string[]> = v.pipe(
  v.array(
    v.custom<string>(() => true),
    mustSecretly('an array of strings'),
  ),
  v.nonEmpty('is empty. Give at least one key, or leave it out for demo-key'),
)

const mustBeProxyUrl = must('an http address without a query, user or password')

/** An http address, with a path or without. Messages never show what comes before an `@`. @internal */
export const PROXY_URL: Schema<URL> = v.pipe(
  v.custom(
    (value) => readProxyUrl(value) !== undefined,
    (issue) => mustBeProxyUrl({ ...issue, input: hideBeforeAt(issue.input) }),
  ),
  v.transform((value) => readProxyUrl(value) as URL),
)

const PROXY: Schema<ProxyTarget> = v.lazy((input): Schema<ProxyTarget> => {
  const whole = object<ProxyTarget>({ url: PROXY_URL, keys: v.optional(boolean, false) })
  return typeof input === 'string'
    ? v.pipe(
        PROXY_URL,
        v.transform((url) => ({ url, keys: false })),
      )
    : whole
})

const HANDLERS: Schema<HandlersOption> = v.lazy(
  (input): Schema<HandlersOption> => (typeof input === 'function' ? callback() : USER_HANDLERS),
)

const OPTIONS: Schema<ReadOptions> = object<ReadOptions & Record<keyof MockOptions, unknown>>({
  // The content of a fixture is validated when it is loaded.
  fixture: v.optional(FIXTURE_SOURCE, 'default'),
  // The name is sent as JSON, which must not have lone surrogates.
  fixtureName: v.pipe(
    v.optional(string, 'custom'),
    v.transform((name) => name.toWellFormed()),
  ),
  apiKeys: v.optional(API_KEYS, [DEFAULT_API_KEY]),
  anyKey: v.optional(boolean, false),
  baseUrl: v.optional(BASE_URLS, DEFAULT_BASE_URL),
  quantity: v.optional(QUANTITY_RANGE, {}),
  sunset: v.optional(SUNSET),
  delay: v.optional(DELAY, 0),
  randomSeed: v.optional(safeInteger, 1),
  journalSize: v.optional(whole(1), DEFAULT_JOURNAL_SIZE),
  maxSandboxes: v.optional(whole(1), DEFAULT_MAX_SANDBOXES),
  prefer: v.optional(boolean, false),
  saveState: v.optional(callback<() => Promise<void>>()),
  handlers: v.optional(HANDLERS, []),
  proxy: v.optional(PROXY),
  stubs: v.optional(STUBS, []),
  profile: v.optional(PROFILE, {}),
  fidelity: v.optional(FIDELITY),
})

const FAILURE = 'Failed to create the mock'

/** @throws {MockError} `INVALID_OPTION` naming the option. */
export function parseOptions(
  options: MockOptions,
): Omit<ParsedOptions, 'handlers' | 'proxy'> & Pick<ReadOptions, 'handlers' | 'proxy'> {
  const { stubs, profile, quantity, ...parsed } = parseWith(OPTIONS, options, { failure: FAILURE })
  const refuse = (sentence: string): MockError => new MockError('INVALID_OPTION', `${FAILURE}: ${sentence}`)
  if (parsed.anyKey && options.apiKeys !== undefined) throw refuse('anyKey and apiKeys cannot be combined.')
  const range = toRange(quantity, profile.quantity)
  if (range.min > range.max) {
    throw refuse(`quantity has a min of ${range.min} above the max of ${range.max}: one of them is from the profile.`)
  }
  return {
    ...parsed,
    rules: { ...profile, quantity: range },
    findStub: createStubs(stubs, { bases: parsed.baseUrl, refuse }),
  }
}

/** @throws {MockError} `INVALID_OPTION` when the function returns anything but handlers. */
export function makeHandlers(handlers: HandlersOption, mock: Mock): readonly UserHandler[] {
  if (typeof handlers !== 'function') return handlers
  const subject = 'the result of the option handlers'
  return parseWith(USER_HANDLERS, handlers(mock), { failure: FAILURE, subject })
}

/** fetch refuses an address with a user or a password. */
function readProxyUrl(value: unknown): URL | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  return `${url.search}${url.hash}${url.username}${url.password}` === '' ? url : undefined
}

/** Finds a password in malformed addresses too: `user:password@host`. */
function hideBeforeAt(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/^.*@/s, `${HIDDEN}@`) : value
}

function readDate(value: unknown): Date | undefined {
  const date = new Date(typeof value === 'string' || value instanceof Date ? value : Number.NaN)
  return Number.isNaN(date.getTime()) || (typeof value === 'string' && !isInCalendar(value)) ? undefined : date
}

/** `Date` takes 2027-02-31 for the 3rd of March. */
function isInCalendar(text: string): boolean {
  const [day = ''] = /^\d{4}-\d\d-\d\d/.exec(text.trim()) ?? []
  return day === '' || new Date(day).toISOString().startsWith(day)
}
