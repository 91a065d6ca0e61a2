import { DEFAULT_API_KEY } from '../inventory/keyring.ts'
import { parseOnce } from './parse-flag.ts'

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
