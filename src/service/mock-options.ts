import * as v from 'valibot'
import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { BASE_URLS, type BaseUrls, DEFAULT_BASE_URL } from '../http/base-url.ts'
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
import { type QuantityRange, WIDEST_RANGE } from '../inventory/stock-update.ts'
import { DELAY, type Delay } from '../sandbox/clock.ts'
import { DEFAULT_JOURNAL_SIZE } from '../sandbox/journal.ts'
import { USER_HANDLERS, type UserHandler } from '../sandbox/user-handler.ts'
import type { FixtureSource } from '../store/load-seed.ts'

/** How to make a mock. */
export interface MockOptions {
  /**
   * The state to start from and to reset to: a shipped fixture's name (`default`, `empty`, `low-stock`, `sold-out`,
   * `int64-edges`), a fixture file's content, or an object.
   * @default 'default'
   */
  readonly fixture?: FixtureSource
  /**
   * What messages and `GET /_mock/health` call a fixture that is no shipped one.
   * @default 'custom'
   */
  readonly fixtureName?: string
  /**
   * The valid API keys. Each also opens the sandbox `name` as `key~name`.
   * @default ['demo-key']
   */
  readonly apiKeys?: readonly string[]
  /**
   * Takes every key that is not empty.
   * @default false
   */
  readonly anyKey?: boolean
  /**
   * Where the service lies: an address with its path, `https://api.petstore.example/v1`, a path alone, or a list of
   * these. Intercepting runtimes answer a path at every origin, an address at its own origin only, and nothing else.
   * `mock.fetch` and the server answer below each of the paths, whatever the origin; the first one is the mock's own.
   * @default '/v1'
   */
  readonly baseUrl?: string | readonly string[]
  /**
   * The smallest and the largest quantity that an update may set, inclusive.
   * @default { min: -(2^53−1), max: 2^53−1 }
   */
  readonly quantity?: Partial<QuantityRange>
  /** The date for the `Sunset` header (RFC 8594) of the deprecated operation; none is sent without it. */
  readonly sunset?: Date | string
  /**
   * How long every answer takes, in milliseconds: `200`, or drawn from a range, `[100, 300]` or `'100-300'`.
   * @default 0
   */
  readonly delay?: Delay | string
  /**
   * Where the random sequences start, from which delays and faults are drawn. Each sandbox has its own.
   * @default 1
   */
  readonly randomSeed?: number
  /**
   * How many exchanges the journal of a sandbox keeps.
   * @default 1000
   */
  readonly journalSize?: number
  /**
   * How many sandboxes there may be beside the default one; the one idle for longest makes room for another.
   * @default 10000
   */
  readonly maxSandboxes?: number
  /**
   * Whether a request may choose its answer: `Prefer: code=404`, `Prefer: delay=500` (RFC 7240).
   * @default false
   */
  readonly prefer?: boolean
  /** What `POST /_mock/state/save` does. Without it the route says that there is no file. */
  readonly saveState?: () => Promise<void>
  /** msw handlers that come before the contract's own, in every sandbox, also after a reset. */
  readonly handlers?: readonly UserHandler[]
}

/** The options, read and completed. */
export interface ParsedOptions
  extends Required<Omit<MockOptions, 'baseUrl' | 'quantity' | 'sunset' | 'delay' | 'saveState'>> {
  readonly baseUrl: BaseUrls
  readonly quantity: QuantityRange
  readonly sunset: Date | undefined
  readonly delay: Delay
  readonly saveState: (() => Promise<void>) | undefined
}

const DEFAULT_MAX_SANDBOXES = 10_000

const QUANTITY = v.pipe(
  object<QuantityRange>({
    min: v.optional(safeInteger, WIDEST_RANGE.min),
    max: v.optional(safeInteger, WIDEST_RANGE.max),
  }),
  v.check(
    ({ min, max }) => min <= max,
    ({ input: { min, max } }) => `has a min of ${min} above its max of ${max}`,
  ),
)

/** The keys themselves are looked at where they are used, by place, and shown by no message. */
const API_KEYS: Schema<readonly string[]> = v.pipe(
  v.array(
    v.custom<string>(() => true),
    mustSecretly('an array of strings'),
  ),
  v.nonEmpty('is empty. Give at least one key, or leave it out for demo-key'),
)

const OPTIONS: Schema<ParsedOptions> = object<ParsedOptions & Record<keyof MockOptions, unknown>>({
  // What a fixture holds is looked at when it is loaded.
  fixture: v.optional(
    v.custom<FixtureSource>(isFixtureSource, must('the name of a shipped fixture, a file’s content or an object')),
    'default',
  ),
  // It goes out as JSON, which has no half of a surrogate pair.
  fixtureName: v.pipe(
    v.optional(string, 'custom'),
    v.transform((name) => name.toWellFormed()),
  ),
  apiKeys: v.optional(API_KEYS, [DEFAULT_API_KEY]),
  anyKey: v.optional(boolean, false),
  baseUrl: v.optional(BASE_URLS, DEFAULT_BASE_URL),
  quantity: v.optional(QUANTITY, {}),
  sunset: v.optional(readAs(readDate, 'a date')),
  delay: v.optional(DELAY, 0),
  randomSeed: v.optional(safeInteger, 1),
  journalSize: v.optional(whole(1), DEFAULT_JOURNAL_SIZE),
  maxSandboxes: v.optional(whole(1), DEFAULT_MAX_SANDBOXES),
  prefer: v.optional(boolean, false),
  saveState: v.optional(callback<() => Promise<void>>()),
  handlers: v.optional(USER_HANDLERS, []),
})

/** @throws {MockError} `INVALID_OPTION` naming the option. */
export function parseOptions(options: MockOptions): ParsedOptions {
  return parseWith(OPTIONS, options, { failure: 'Failed to create the mock' })
}

function isFixtureSource(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null)
}

function readDate(value: unknown): Date | undefined {
  const date = new Date(typeof value === 'string' || value instanceof Date ? value : Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}
