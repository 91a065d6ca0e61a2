import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { parseOnce, parseWhole } from './parse-flag.ts'

/** `--port` of the commands that serve; each has a default of its own. */
export const PORT_FLAG = {
  alias: 'p',
  requiresArg: true,
  coerce: parseWhole('port', { min: 0, max: 65_535 }),
  describe: 'the port; 0 takes a free one',
} as const

/** `--host` of the commands that serve. */
export const HOST_FLAG = {
  default: '127.0.0.1',
  requiresArg: true,
  coerce: parseOnce('host'),
  describe: 'the address to listen on',
} as const

/** `--api-key` of the commands that ask a running service. */
export const API_KEY_FLAG = {
  alias: 'k',
  default: DEFAULT_API_KEY,
  requiresArg: true,
  coerce: parseOnce('api-key'),
  describe: 'a key that is valid there',
} as const

/** `--output` of the commands that write a file. */
export const OUTPUT_FLAG = {
  alias: 'o',
  requiresArg: true,
  coerce: parseOnce('output'),
  describe: 'the file to write; else standard output',
} as const

/** `--force` of the commands that write files. */
export const FORCE_FLAG = {
  type: 'boolean',
  default: false,
  describe: 'replace a file that is there already',
} as const
