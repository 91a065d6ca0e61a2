import type { Options } from 'yargs'
import { DEFAULT_API_KEY } from '../../auth/authenticator.ts'
import { BASE_URL, DEFAULT_BASE_URL } from '../../http/base-url.ts'
import { DEFAULT_GRACE, GRACE } from '../../runtimes/server/grace.ts'
import { DELAY } from '../../sandbox/clock.ts'
import { isShippedFixture } from '../../store/shipped-fixtures.ts'
import { UsageError } from '../io.ts'
import { parseList, parseOnce, parseText, parseWhole } from '../parse-flag.ts'
import { HOST_FLAG, PORT_FLAG } from '../shared-flags.ts'
import { LOG_FORMATS, type LogFormat } from './serve-log.ts'

/** The flags of `serve`, read. */
export interface ServeFlags {
  readonly port: number
  readonly host: string
  readonly fixture: string
  readonly pets?: number | undefined
  readonly randomSeed: number
  readonly apiKey: string[]
  readonly anyKey: boolean
  readonly quantityMin?: number | undefined
  readonly quantityMax?: number | undefined
  readonly sunset?: string | undefined
  readonly delay?: string | undefined
  readonly prefer: boolean
  readonly check: boolean
  readonly handlers?: string | undefined
  readonly state?: string | undefined
  readonly watch: boolean
  readonly control: boolean
  readonly controlToken?: string | undefined
  readonly tlsCert?: string | undefined
  readonly tlsKey?: string | undefined
  readonly baseUrl: string
  readonly grace: string
  readonly open: boolean
  readonly log: LogFormat
  readonly quiet: boolean
}

const SAFE = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }

/** The flags of `serve`. */
export const SERVE_OPTIONS: Readonly<Record<string, Options>> = {
  port: { ...PORT_FLAG, default: 4100 },
  host: HOST_FLAG,
  fixture: {
    alias: 'f',
    default: 'default',
    requiresArg: true,
    coerce: parseOnce('fixture'),
    describe: "a shipped fixture's name or a file's path",
  },
  pets: {
    requiresArg: true,
    coerce: parseWhole('pets', { min: 0, max: 10_000_000 }),
    describe: 'a generated inventory of so many pets instead',
  },
  'random-seed': {
    default: 1,
    requiresArg: true,
    coerce: parseWhole('random-seed', SAFE),
    describe: 'the same number gives the same pets',
  },
  'api-key': {
    alias: 'k',
    default: DEFAULT_API_KEY,
    requiresArg: true,
    coerce: parseList('api-key'),
    describe: 'a valid key; repeatable',
  },
  'any-key': { type: 'boolean', default: false, describe: 'take every key that is not empty' },
  'quantity-min': {
    requiresArg: true,
    coerce: parseWhole('quantity-min', SAFE),
    describe: 'the smallest quantity an update may set',
  },
  'quantity-max': { requiresArg: true, coerce: parseWhole('quantity-max', SAFE), describe: 'the largest' },
  sunset: {
    requiresArg: true,
    coerce: parseOnce('sunset'),
    describe: 'the date of the deprecated operation’s Sunset header',
  },
  delay: {
    requiresArg: true,
    coerce: parseText('delay', DELAY),
    describe: 'how long every answer takes, in ms: 200 or 100-300',
  },
  prefer: {
    type: 'boolean',
    default: false,
    describe: 'let a request choose its answer: Prefer: code=404, delay=500',
  },
  check: { type: 'boolean', default: false, describe: 'check every answer against the specification with Prism' },
  handlers: {
    requiresArg: true,
    coerce: parseOnce('handlers'),
    describe: "a module of msw handlers that come before the contract's own",
  },
  state: {
    requiresArg: true,
    coerce: parseOnce('state'),
    describe: 'load the state from this file at start, save it there on exit',
  },
  watch: { type: 'boolean', default: false, describe: 'load a changed fixture file without a restart' },
  control: {
    type: 'boolean',
    default: true,
    describe: 'the control API under /_mock; --no-control switches it off',
  },
  'control-token': {
    requiresArg: true,
    coerce: parseOnce('control-token'),
    describe: 'what X-Mock-Control-Token must say',
  },
  'tls-cert': {
    requiresArg: true,
    coerce: parseOnce('tls-cert'),
    describe: 'certificate in PEM form; serves over https',
  },
  'tls-key': { requiresArg: true, coerce: parseOnce('tls-key'), describe: 'its key in PEM form' },
  'base-url': {
    default: DEFAULT_BASE_URL,
    requiresArg: true,
    coerce: parseText('base-url', BASE_URL),
    describe: 'where the service lies: a path, or the address that clients know',
  },
  grace: {
    default: DEFAULT_GRACE,
    requiresArg: true,
    coerce: parseText('grace', GRACE),
    describe: 'how long the end waits for responses in flight: 5s, 500ms or 0',
  },
  open: { type: 'boolean', default: false, describe: 'open the console in the browser' },
  log: { choices: LOG_FORMATS, default: 'pretty' as LogFormat, describe: 'how to log' },
  quiet: { alias: 'q', type: 'boolean', default: false, describe: 'leave the requests out of the log' },
}

/** @throws {UsageError} for flags that do not go together. */
export function checkTogether({ pets, fixture, watch, tlsCert, tlsKey, open, control }: ServeFlags): void {
  if (pets !== undefined && fixture !== 'default')
    throw new UsageError('--pets and --fixture exclude each other. Give one.')
  if (watch && (pets !== undefined || isShippedFixture(fixture))) {
    throw new UsageError('--watch needs a fixture file to watch. Give one with --fixture.')
  }
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new UsageError('--tls-cert and --tls-key go together. Give both.')
  if (open && !control)
    throw new UsageError('--open and --no-control exclude each other: the console is part of the control API.')
}
