import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { assertKnown } from '../http/assert-known.ts'
import { type BaseUrl, DEFAULT_BASE_URL, parseBaseUrl } from '../http/base-url.ts'
import { MockError } from '../http/mock-error.ts'
import { quote } from '../http/quote.ts'
import { CONTROL_PATH, isControlPath } from '../http/router.ts'
import { type QuantityRange, WIDEST_RANGE } from '../inventory/stock-update.ts'
import { type Delay, parseDelay } from '../sandbox/clock.ts'
import { DEFAULT_JOURNAL_SIZE } from '../sandbox/journal.ts'
import { assertUserHandlers, type UserHandler } from '../sandbox/user-handler.ts'
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
   * Where the service lies: an address with its path, `https://api.petstore.example/v1`, or a path alone. An
   * address narrows what the intercepting runtimes answer to its origin.
   * @default '/v1'
   */
  readonly baseUrl?: string
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
export interface ParsedOptions {
  readonly fixture: FixtureSource
  readonly fixtureName: string
  readonly apiKeys: readonly string[]
  readonly anyKey: boolean
  readonly base: BaseUrl
  readonly quantityRange: QuantityRange
  readonly sunset: Date | undefined
  readonly handlers: readonly UserHandler[]
  readonly delay: Delay
  readonly randomSeed: number
  readonly journalSize: number
  readonly maxSandboxes: number
  readonly prefer: boolean
  readonly saveState: (() => Promise<void>) | undefined
}

const DEFAULT_MAX_SANDBOXES = 10_000

const KNOWN: Readonly<Record<keyof MockOptions, true>> = {
  fixture: true,
  fixtureName: true,
  apiKeys: true,
  anyKey: true,
  baseUrl: true,
  quantity: true,
  sunset: true,
  delay: true,
  randomSeed: true,
  journalSize: true,
  maxSandboxes: true,
  prefer: true,
  saveState: true,
  handlers: true,
}

/** @throws {MockError} `INVALID_OPTION` naming the option. */
export function parseOptions(options: MockOptions): ParsedOptions {
  assertKnown(options, { failure: 'Failed to create the mock', known: Object.keys(KNOWN) })
  const { fixture = 'default', fixtureName = 'custom', apiKeys = [DEFAULT_API_KEY], anyKey = false } = options
  if (typeof fixtureName !== 'string')
    throw toOptionError('fixtureName', `must be a string, got ${quote(fixtureName)}.`)
  if (!Array.isArray(apiKeys)) throw toOptionError('apiKeys', `must be an array of strings, got ${quote(apiKeys)}.`)
  if (apiKeys.length === 0)
    throw toOptionError('apiKeys', 'is empty. Give at least one key, or leave it out for demo-key.')
  return {
    fixture,
    // It goes out as JSON, which has no half of a surrogate pair.
    fixtureName: fixtureName.toWellFormed(),
    apiKeys,
    anyKey,
    base: parseBase(options.baseUrl ?? DEFAULT_BASE_URL),
    quantityRange: parseRange(options.quantity ?? {}),
    sunset: parseSunset(options.sunset),
    handlers: parseHandlers(options.handlers ?? []),
    delay: parseDelay(options.delay ?? 0, 'Failed to create the mock: the option delay'),
    randomSeed: parseWhole('randomSeed', options.randomSeed ?? 1, Number.MIN_SAFE_INTEGER),
    journalSize: parseWhole('journalSize', options.journalSize ?? DEFAULT_JOURNAL_SIZE, 1),
    maxSandboxes: parseWhole('maxSandboxes', options.maxSandboxes ?? DEFAULT_MAX_SANDBOXES, 1),
    prefer: options.prefer ?? false,
    saveState: options.saveState,
  }
}

function parseHandlers(handlers: readonly UserHandler[]): readonly UserHandler[] {
  if (!Array.isArray(handlers)) throw toOptionError('handlers', `must be an array, got ${quote(handlers)}.`)
  assertUserHandlers(handlers, 'Failed to create the mock: the option handlers')
  return handlers
}

function parseBase(baseUrl: unknown): BaseUrl {
  const base = parseBaseUrl(baseUrl, 'Failed to create the mock: the option baseUrl')
  if (!isControlPath(base.path)) return base
  throw toOptionError('baseUrl', `lies below ${CONTROL_PATH}, where the control API is, got ${quote(baseUrl)}.`)
}

function parseRange({
  min = WIDEST_RANGE.min,
  max = WIDEST_RANGE.max,
  ...rest
}: Partial<QuantityRange>): QuantityRange {
  const unknown = Object.keys(rest)
  if (unknown.length > 0) throw toOptionError(`quantity.${unknown[0]}`, 'is not known. Known: min, max.')
  for (const [name, value] of Object.entries({ min, max })) {
    if (!Number.isSafeInteger(value))
      throw toOptionError(`quantity.${name}`, `must be a safe integer, got ${quote(value)}.`)
  }
  if (min > max) throw toOptionError('quantity', `has a min of ${min} above its max of ${max}.`)
  return { min, max }
}

function parseWhole(name: string, value: number, min: number): number {
  if (Number.isSafeInteger(value) && value >= min) return value
  throw toOptionError(name, `must be a whole number from ${min} on, got ${quote(value)}.`)
}

function parseSunset(sunset: Date | string | undefined): Date | undefined {
  if (sunset === undefined) return undefined
  const isDate = typeof sunset === 'string' || sunset instanceof Date
  const date = new Date(isDate ? sunset : Number.NaN)
  if (Number.isNaN(date.getTime())) throw toOptionError('sunset', `must be a date, got ${quote(sunset)}.`)
  return date
}

function toOptionError(name: string, problem: string): MockError {
  return new MockError('INVALID_OPTION', `Failed to create the mock: the option ${name} ${problem}`)
}
