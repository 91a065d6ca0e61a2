import { DEFAULT_API_KEY } from '../../auth/authenticator.ts'
import { BASE_URL, DEFAULT_BASE_URL } from '../../http/base-url.ts'
import { DEFAULT_GRACE, GRACE } from '../../runtimes/server/grace.ts'
import { PROXY_URL, SUNSET } from '../../service/parse-options.ts'
import { isShippedFixture } from '../../store/seed.ts'
import type { Command } from '../command.ts'
import { UsageError } from '../io.ts'
import { parseDelay, parseList, parseOnce, parseText, parseWhole } from '../parse-flag.ts'
import { FIXTURE_FLAG, HOST_FLAG, PETS_FLAG, PORT_FLAG, RANDOM_SEED_FLAG, SAFE_INTEGER } from '../shared-flags.ts'
import { LOG_FORMATS, type LogFormat } from './serve-log.ts'

/** The parsed flags of `serve`. */
export interface ServeFlags extends ServerFlags {
  readonly open: boolean
}

/** The parsed flags of a command that runs a server. */
export interface ServerFlags {
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
  readonly proxy?: string | undefined
  readonly proxyKeys: boolean
  readonly proxyOrigin?: readonly string[] | undefined
  readonly stubs?: string | undefined
  readonly profile?: string | undefined
  readonly grace: string
  readonly log: LogFormat
  readonly quiet: boolean
}

/** The flags of `serve`. */
export const SERVE_OPTIONS: Command<ServeFlags>['options'] = {
  port: { ...PORT_FLAG, default: 4100 },
  host: HOST_FLAG,
  fixture: FIXTURE_FLAG,
  pets: { ...PETS_FLAG, describe: 'generate this many pets instead of loading a fixture' },
  'random-seed': RANDOM_SEED_FLAG,
  'api-key': {
    alias: ['k', 'key'],
    default: DEFAULT_API_KEY,
    requiresArg: true,
    coerce: parseList('api-key'),
    describe: 'a valid API key; repeatable, or several with commas between them',
  },
  'any-key': { type: 'boolean', default: false, describe: 'accept any key that is not empty' },
  'quantity-min': {
    requiresArg: true,
    coerce: parseWhole('quantity-min', SAFE_INTEGER),
    describe: 'smallest quantity an update may set',
  },
  'quantity-max': {
    requiresArg: true,
    coerce: parseWhole('quantity-max', SAFE_INTEGER),
    describe: 'largest quantity an update may set',
  },
  sunset: {
    requiresArg: true,
    coerce: parseText('sunset', SUNSET),
    describe: 'date of the Sunset header on deprecated operations',
  },
  delay: {
    requiresArg: true,
    coerce: parseDelay,
    describe: 'latency of every response in ms: 200 or 100-300',
  },
  prefer: {
    type: 'boolean',
    default: false,
    describe: 'let a request choose its response: Prefer: code=404, delay=500',
  },
  check: { type: 'boolean', default: false, describe: 'validate every response against the specification with Prism' },
  handlers: {
    requiresArg: true,
    coerce: parseOnce('handlers'),
    describe: "module of msw handlers that take precedence over the mock's own",
  },
  state: {
    requiresArg: true,
    coerce: parseOnce('state'),
    describe: 'load the state from this file on startup, save it there on exit',
  },
  watch: { type: 'boolean', default: false, describe: 'reload the files of --fixture and --stubs when they change' },
  control: {
    type: 'boolean',
    default: true,
    describe: 'serve the control API under /_mock; --no-control turns it off',
  },
  'control-token': {
    requiresArg: true,
    coerce: parseOnce('control-token'),
    describe: 'token that control requests must send as X-Mock-Control-Token',
  },
  'tls-cert': {
    requiresArg: true,
    coerce: parseOnce('tls-cert'),
    describe: 'certificate (PEM); serves over https',
  },
  'tls-key': { requiresArg: true, coerce: parseOnce('tls-key'), describe: 'private key of the certificate (PEM)' },
  'base-url': {
    default: DEFAULT_BASE_URL,
    requiresArg: true,
    coerce: parseText('base-url', BASE_URL),
    describe: 'where to serve the API: a path, or the URL that clients use',
  },
  stubs: {
    requiresArg: true,
    coerce: parseOnce('stubs'),
    describe: 'file of responses to requests that the specification does not define',
  },
  profile: {
    requiresArg: true,
    coerce: parseOnce('profile'),
    describe: 'file of decisions of a real service where the specification is silent',
  },
  proxy: {
    requiresArg: true,
    coerce: parseText('proxy', PROXY_URL),
    describe: 'forward requests that the specification does not define to this URL',
  },
  'proxy-keys': { type: 'boolean', default: false, describe: 'forward keys and cookies to --proxy' },
  'proxy-origin': {
    type: 'string',
    array: true,
    requiresArg: true,
    coerce: parseList('proxy-origin'),
    describe: 'origin of pages that may use --proxy; repeatable; pages from loopback always may',
  },
  grace: {
    default: DEFAULT_GRACE,
    requiresArg: true,
    coerce: parseText('grace', GRACE),
    describe: 'how long to wait for responses in flight on shutdown: 5s, 500ms or 0',
  },
  open: { type: 'boolean', default: false, describe: 'open the console in the browser' },
  log: { choices: LOG_FORMATS, default: 'pretty' as LogFormat, describe: 'log format' },
  quiet: { alias: 'q', type: 'boolean', default: false, describe: 'do not log requests' },
}

/** @throws {UsageError} for flags that cannot be combined. */
export function checkTogether({
  pets,
  fixture,
  watch,
  tlsCert,
  tlsKey,
  open = false,
  control,
  proxy,
  proxyKeys,
  proxyOrigin,
  stubs,
  apiKey,
  anyKey,
  controlToken,
}: ServerFlags & Partial<ServeFlags>): void {
  if (pets !== undefined && fixture !== 'default') throw new UsageError('--pets and --fixture cannot be combined.')
  if (watch && stubs === undefined && isShippedFixture(fixture)) {
    throw new UsageError('--watch needs a fixture file or stubs. Pass one with --fixture or --stubs.')
  }
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new UsageError('--tls-cert and --tls-key must be given together.')
  if (anyKey && apiKey.join() !== DEFAULT_API_KEY) throw new UsageError('--any-key and --api-key cannot be combined.')
  if (controlToken !== undefined && apiKey.includes(controlToken))
    throw new UsageError(
      '--control-token must not be an API key, because every client that has the key could control the mock. Choose another token.',
    )
  if (!control && controlToken !== undefined)
    throw new UsageError('--no-control and --control-token cannot be combined.')
  if (proxyKeys && proxy === undefined) throw new UsageError('--proxy-keys needs --proxy.')
  if (proxyOrigin !== undefined && proxy === undefined) throw new UsageError('--proxy-origin needs --proxy.')
  if (open && !control)
    throw new UsageError('--open and --no-control cannot be combined: the console is part of the control API.')
}
