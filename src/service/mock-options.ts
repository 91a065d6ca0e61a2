import * as v from 'valibot'
import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { BASE_URLS, type BaseUrls, DEFAULT_BASE_URL, withoutEndSlashes } from '../http/base-url.ts'
import { isJsonObject, isPlain } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import {
  boolean,
  callback,
  type Entries,
  must,
  mustSecretly,
  object,
  parseWith,
  readAs,
  type Schema,
  safeInteger,
  whole,
} from '../http/schema.ts'
import type { QuantityRange } from '../inventory/pet.ts'
import { PROFILE, type Profile, QUANTITY_RANGE, type Rules, toRange } from '../inventory/profile.ts'
import { DELAY, type Delay } from '../sandbox/delay.ts'
import { DEFAULT_JOURNAL_SIZE } from '../sandbox/journal.ts'
import { USER_HANDLERS, type UserHandler } from '../sandbox/user-handler.ts'
import { FIXTURE_SOURCE, type FixtureSource } from '../store/seed.ts'
import type { Mock } from './mock.ts'
import { createStubs, type FindStub, type ParsedStub, STUBS, type Stub } from './stubs.ts'

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
   * from loopback always may. `null` is the origin of files, and of sandboxed frames on any site.
   * @default []
   */
  readonly origins?: readonly string[]
}

export interface ProxyTarget extends Required<Omit<ProxyOptions, 'url'>> {
  readonly url: URL
  /** What the mock adds to `Via` (RFC 9110, section 7.6.3). No other mock adds the same. */
  readonly via: string
}

/** The validated options with all defaults. */
interface Validated
  extends Required<
    Omit<MockOptions, 'fixture' | 'baseUrl' | 'sunset' | 'delay' | 'saveState' | 'proxy' | 'stubs' | 'profile'>
  > {
  readonly fixture: FixtureSource | undefined
  readonly baseUrl: BaseUrls
  readonly sunset: Date | undefined
  readonly delay: Delay
  readonly saveState: (() => Promise<void>) | undefined
  readonly proxy: ProxyTarget | undefined
  readonly stubs: readonly ParsedStub[]
  readonly profile: Rules
}

/** The options as requests use them: with the rules, and the lookup of the stubs. */
export interface ParsedOptions extends Omit<Validated, 'profile' | 'quantity' | 'stubs'> {
  readonly rules: Rules
  readonly findStub: FindStub | undefined
}

/** The date of the Sunset header. @internal */
export const SUNSET: Schema<Date> = readAs(readDate, 'a date')

/** `createAuthenticator` validates each key. Messages never show a key. */
const API_KEYS: Schema<readonly string[]> = v.pipe(
  v.array(v.any(), mustSecretly('an array of strings')),
  v.nonEmpty('is empty. Give at least one key, or leave it out for demo-key'),
)

/** An http address. Messages never show it, because malformed addresses have passwords, too. @internal */
export const PROXY_URL: Schema<URL> = v.pipe(
  v.custom(
    (value) => readProxyUrl(value) !== undefined,
    mustSecretly('an http address without a query, user or password'),
  ),
  v.transform((value) => readProxyUrl(value) as URL),
)

/** Pages without an origin, such as files, send `null`. */
const ORIGIN = readAs(
  (text) => (text === 'null' || URL.parse(String(text))?.origin === text ? String(text) : undefined),
  'an origin such as https://app.example',
)

const PROXY_PARTS = object<Omit<ProxyTarget, 'via'>>({
  url: PROXY_URL,
  keys: v.optional(boolean, false),
  origins: v.optional(v.array(ORIGIN), []),
})
const PROXY: Schema<ProxyTarget> = v.pipe(
  v.lazy((input): Schema<URL | Omit<ProxyTarget, 'via'>> => (typeof input === 'string' ? PROXY_URL : PROXY_PARTS)),
  v.transform((to) => ({ ...(to instanceof URL ? { url: to, keys: false, origins: [] } : to), via: createVia() })),
)

const HANDLERS = v.lazy((input): Schema<HandlersOption> => (typeof input === 'function' ? callback() : USER_HANDLERS))

/** The first fixture is the default, and JavaScript puts whole numbers before all other names; valibot drops the other three. */
const WRONG_NAME = /^(?:\d+|__proto__|prototype|constructor)$/
const FIXTURES = v.pipe(
  v.custom<object>(
    (value) => isJsonObject(value) && isPlain(value) && !Object.keys(value).some((name) => WRONG_NAME.test(name)),
    must('an object with fixtures by name, not by number'),
  ),
  v.record(v.string(), FIXTURE_SOURCE),
)

/** One schema for each option. @internal */
export const OPTIONS: Entries<Validated & Record<keyof MockOptions, unknown>> = {
  fixture: v.optional(FIXTURE_SOURCE),
  fixtures: v.optional(FIXTURES, {}),
  apiKeys: v.optional(API_KEYS, [DEFAULT_API_KEY]),
  anyKey: v.optional(boolean, false),
  baseUrl: v.optional(BASE_URLS, DEFAULT_BASE_URL),
  quantity: v.optional(QUANTITY_RANGE, {}),
  sunset: v.optional(SUNSET),
  delay: v.optional(DELAY, 0),
  randomSeed: v.optional(safeInteger, 1),
  journalSize: v.optional(whole(1), DEFAULT_JOURNAL_SIZE),
  maxSandboxes: v.optional(whole(1), 10_000),
  prefer: v.optional(boolean, false),
  saveState: v.optional(callback<() => Promise<void>>()),
  handlers: v.optional(HANDLERS, []),
  proxy: v.optional(PROXY),
  stubs: v.optional(STUBS, []),
  profile: v.optional(PROFILE, {}),
}

const FAILURE = 'Failed to create the mock'

/** @throws {MockError} `INVALID_OPTION` naming the option. */
export function parseOptions(options: MockOptions): ParsedOptions {
  const parsed = parseWith(object<Validated>(OPTIONS), options, { failure: FAILURE })
  const { stubs, profile, quantity } = parsed
  const refuse = (sentence: string): MockError => new MockError('INVALID_OPTION', `${FAILURE}: ${sentence}`)
  if (parsed.anyKey && options.apiKeys !== undefined) throw refuse('anyKey and apiKeys cannot be combined.')
  const repeated = parsed.baseUrl.find(
    ({ path }) => path !== '' && parsed.proxy && withoutEndSlashes(parsed.proxy.url.pathname).endsWith(path),
  )
  if (repeated !== undefined)
    throw refuse(`proxy has the base path ${repeated.path}, which the requests have, too. Leave it out.`)
  const range = toRange(quantity, profile.quantity)
  if (range.min > range.max)
    throw refuse(`quantity has a min of ${range.min} above the max of ${range.max}: one of them is from the profile.`)
  return {
    ...parsed,
    rules: { ...profile, quantity: range },
    findStub: createStubs(stubs, { bases: parsed.baseUrl, refuse }),
  }
}

/** @throws {MockError} `INVALID_OPTION` when the function returns anything but handlers. */
export function toUserHandlers(handlers: HandlersOption, mock: Mock): readonly UserHandler[] {
  if (typeof handlers !== 'function') return handlers
  return parseWith(USER_HANDLERS, handlers(mock), { failure: FAILURE, subject: 'the result of the option handlers' })
}

/** Identifies this mock in `Via`. With one name for all mocks, every chain of them would look like a loop. */
function createVia(): string {
  const [id = 0] = crypto.getRandomValues(new Uint32Array(1))
  return `1.1 petstore-mock-${id.toString(16).padStart(8, '0')}`
}

/** fetch refuses an address with a user or a password. */
function readProxyUrl(value: unknown): URL | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  return `${url.search}${url.hash}${url.username}${url.password}` === '' ? url : undefined
}

function readDate(value: unknown): Date | undefined {
  const date = new Date(typeof value === 'string' || value instanceof Date ? value : Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}
