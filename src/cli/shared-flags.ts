import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { MOST_PETS } from '../store/generate-fixture.ts'
import { parseOnce, parseWhole } from './parse-flag.ts'

export const SAFE_INTEGER = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER } as const

/** `--port` of the commands that serve. Each has its own default. */
export const PORT_FLAG = {
  alias: 'p',
  requiresArg: true,
  coerce: parseWhole('port', { min: 0, max: 65_535 }),
  describe: 'port to listen on; 0 picks a free port',
} as const

/** `--host` of the commands that serve. */
export const HOST_FLAG = {
  default: '127.0.0.1',
  requiresArg: true,
  coerce: parseOnce('host'),
  describe: 'address to listen on',
} as const

/** `--api-key` of the commands that have one key. */
export const API_KEY_FLAG = {
  alias: ['k', 'key'],
  default: DEFAULT_API_KEY,
  requiresArg: true,
  coerce: parseOnce('api-key'),
  describe: 'a valid API key of the service',
} as const

/** `--fixture` of the commands that load one. */
export const FIXTURE_FLAG = {
  alias: 'f',
  default: 'default',
  requiresArg: true,
  coerce: parseOnce('fixture'),
  describe: 'name of a shipped fixture, or path of a file',
} as const

/** `--pets` of the commands that generate a fixture. */
export const PETS_FLAG = {
  requiresArg: true,
  coerce: parseWhole('pets', { min: 0, max: MOST_PETS }),
} as const

/** `--random-seed` of the commands that generate a fixture. */
export const RANDOM_SEED_FLAG = {
  default: 1,
  requiresArg: true,
  coerce: parseWhole('random-seed', SAFE_INTEGER),
  describe: 'the same seed always gives the same pets',
} as const

/** `--output` of the commands that write a file. */
export const OUTPUT_FLAG = {
  alias: 'o',
  requiresArg: true,
  coerce: parseOnce('output'),
  describe: 'file to write; standard output by default',
} as const

/** `--force` of the commands that write files. */
export const FORCE_FLAG = {
  type: 'boolean',
  default: false,
  describe: 'overwrite an existing file',
} as const
