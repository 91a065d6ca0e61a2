import type { RequestHandler } from 'msw'
import { MockError } from './contract/mock-error.ts'
import { quote } from './contract/quote.ts'
import { DEFAULT_API_KEY } from './inventory/keyring.ts'
import { type QuantityRange, WIDEST_RANGE } from './inventory/stock-update.ts'
import type { FixtureSource } from './store/load-seed.ts'

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
  /** msw handlers that come before the contract's own, in every sandbox, also after a reset. */
  readonly handlers?: readonly RequestHandler[]
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
  readonly handlers: readonly RequestHandler[]
}

/** Where the service lies. */
export interface BaseUrl {
  /** `undefined` stands for every origin. */
  readonly origin: string | undefined
  /** Without a slash at its end; empty for the root. */
  readonly path: string
}

const KNOWN: Readonly<Record<keyof MockOptions, true>> = {
  fixture: true,
  fixtureName: true,
  apiKeys: true,
  anyKey: true,
  baseUrl: true,
  quantity: true,
  sunset: true,
  handlers: true,
}

/** @throws {MockError} `INVALID_OPTION` naming the option. */
export function parseOptions(options: MockOptions): ParsedOptions {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(KNOWN, name))
      throw toOptionError(name, `is not known. Known are ${Object.keys(KNOWN).join(', ')}.`)
  }
  const { fixture = 'default', fixtureName = 'custom', apiKeys = [DEFAULT_API_KEY], anyKey = false } = options
  if (!Array.isArray(apiKeys)) throw toOptionError('apiKeys', `must be an array of strings, got ${quote(apiKeys)}.`)
  if (apiKeys.length === 0)
    throw toOptionError('apiKeys', 'is empty. Give at least one key, or leave it out for demo-key.')
  return {
    fixture,
    fixtureName,
    apiKeys,
    anyKey,
    base: parseBaseUrl(options.baseUrl ?? '/v1'),
    quantityRange: parseRange(options.quantity ?? {}),
    sunset: parseSunset(options.sunset),
    handlers: options.handlers ?? [],
  }
}

function parseBaseUrl(baseUrl: string): BaseUrl {
  const isPath = baseUrl.startsWith('/') && !baseUrl.startsWith('//')
  const url = URL.parse(isPath ? `http://localhost${baseUrl}` : baseUrl)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw toOptionError('baseUrl', `must be an http address or a path that starts with /, got ${quote(baseUrl)}.`)
  }
  return { origin: isPath ? undefined : url.origin, path: url.pathname.replace(/\/+$/, '') }
}

function parseRange({
  min = WIDEST_RANGE.min,
  max = WIDEST_RANGE.max,
  ...rest
}: Partial<QuantityRange>): QuantityRange {
  const unknown = Object.keys(rest)
  if (unknown.length > 0) throw toOptionError(`quantity.${unknown[0]}`, 'is not known. Known are min, max.')
  for (const [name, value] of Object.entries({ min, max })) {
    if (!Number.isSafeInteger(value))
      throw toOptionError(`quantity.${name}`, `must be a safe integer, got ${quote(value)}.`)
  }
  if (min > max) throw toOptionError('quantity', `has a min of ${min} above its max of ${max}.`)
  return { min, max }
}

function parseSunset(sunset: Date | string | undefined): Date | undefined {
  if (sunset === undefined) return undefined
  const date = new Date(sunset)
  if (Number.isNaN(date.getTime())) throw toOptionError('sunset', `must be a date, got ${quote(sunset)}.`)
  return date
}

function toOptionError(name: string, problem: string): MockError {
  return new MockError('INVALID_OPTION', `Failed to create the mock: the option ${name} ${problem}`)
}
