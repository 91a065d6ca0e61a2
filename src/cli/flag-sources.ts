import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { Options } from 'yargs'
import { isJsonObject, parseExactJson, skipString } from '../http/exact-json.ts'
import { oneOf, parseOr, readAs, type Schema } from '../http/schema.ts'
import { suggest } from '../http/suggest.ts'
import { isShippedFixture } from '../store/seed.ts'
import { findRepeatedName } from './fixture-file/find-repeated-name.ts'
import { UsageError } from './io.ts'
import { toFileReason } from './to-file-reason.ts'

// Flags from the environment or a config file. yargs can read both, but rejects variables of other commands and does
// not say where a bad value came from.

export type FlagOptions = Readonly<Record<string, Options>>
/** Values by flag name. */
type FlagValues = Readonly<Record<string, unknown>>

const PREFIX = 'PETSTORE_MOCK_'
/** Also variants of the prefix, which are misspelled. */
const LIKE_PREFIX = /^PETSTORE_?MOCK_/i
/** Set by `petstore-mock exec` for its command. */
const NOT_FLAGS = [`${PREFIX}URL`]
/** Kubernetes sets these in every pod beside a Service named petstore-mock, and `PETSTORE_MOCK_PORT` to an address. */
const SERVICE_LINK = /^PETSTORE_MOCK_(?:SERVICE|PORT)_/
const LINKED_PORT = /^(?:tcp|udp):\/\//

interface EnvironmentFlags {
  /** The flags of the command. */
  readonly options: FlagOptions
  /** The flags of all commands. */
  readonly all: FlagOptions
  /** Flags that are not read from the environment, at least by one command. */
  readonly commandLineOnly: readonly string[]
}

/**
 * Reads the `PETSTORE_MOCK_*` variables of one command; those of other commands are ignored.
 * @throws {UsageError} for a variable that no command knows, and for an invalid value.
 */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  { options, ...others }: EnvironmentFlags,
): FlagValues {
  const values: Record<string, unknown> = {}
  /** By flag. */
  const variables = new Map<string, string>()
  const known = new Set(Object.entries(others.all).flatMap(toVariables))
  for (const [variable, value] of Object.entries(env)) {
    if (!LIKE_PREFIX.test(variable) || value === undefined || NOT_FLAGS.includes(variable)) continue
    if (isServiceLink(variable, value)) continue
    if (!known.has(variable))
      throw new UsageError(`${variable} in the environment is not known.${explainVariable(variable, others)}`)
    const [flag, option] = Object.entries(options).find((entry) => toVariables(entry).includes(variable)) ?? []
    if (flag === undefined) continue
    const other = variables.get(flag)
    if (other !== undefined)
      throw new UsageError(`${[variable, other].sort().join(' and ')} are the same flag. Keep one.`)
    variables.set(flag, variable)
    values[flag] = readValue(value, { flag, option, source: variable })
  }
  return values
}

/** What an unknown variable may have meant. */
function explainVariable(variable: string, { all, commandLineOnly }: Omit<EnvironmentFlags, 'options'>): string {
  const name = variable.replace(LIKE_PREFIX, '').toUpperCase()
  const unread = commandLineOnly.find((flag) => toVariable(flag) === PREFIX + name)
  if (unread !== undefined) return ` --${unread} is read from the command line only.`
  const positive = name.startsWith('NO_') ? PREFIX + name.slice(3) : undefined
  const isOff = Object.entries(all).some(([flag, { type }]) => type === 'boolean' && toVariable(flag) === positive)
  if (isOff) return ` Did you mean ${positive}=false?`
  // Compared without the prefix, which would make all names similar.
  const known = Object.keys(all).map((flag) => toVariable(flag).slice(PREFIX.length))
  const longer = known.find((each) => each.endsWith(`_${name}`))
  const near = longer === undefined ? suggest(name, known) : ` Did you mean ${longer}?`
  return near.replace('mean ', `mean ${PREFIX}`)
}

function isServiceLink(variable: string, value: string): boolean {
  return SERVICE_LINK.test(variable) || (variable === `${PREFIX}PORT` && LINKED_PORT.test(value))
}

/**
 * Reads a config file: a JSON object with flags as properties, such as `quantity-min` or `quantityMin`.
 * @throws {UsageError} naming the file, for an unknown property or an invalid value.
 */
export function readConfig(path: string, options: FlagOptions): FlagValues {
  const values: Record<string, unknown> = {}
  /** By flag. */
  const properties = new Map<string, string>()
  const known = Object.keys(options)
  for (const [property, value] of Object.entries(readObject(path))) {
    // For editors: `config.schema.json`.
    if (property === '$schema') continue
    const flag = known.find((name) => name === property || toCamelCase(name) === property)
    if (flag === undefined) {
      const aliased = known.find((name) => options[name]?.alias?.includes(property))
      const hint = aliased === undefined ? suggest(property, known) : ` Did you mean ${aliased}?`
      throw new UsageError(`${path}: ${property} is not known.${hint}`)
    }
    const other = properties.get(flag)
    if (other !== undefined) throw new UsageError(`${path}: ${property} and ${other} are the same flag. Keep one.`)
    properties.set(flag, property)
    const read = readValue(value, { flag, option: options[flag], source: `${path}: ${property}` })
    values[flag] = INPUT_FILES.includes(flag) ? showMissing(read) : read
  }
  return values
}

/** The flags that name a file to read. */
const INPUT_FILES: readonly string[] = ['fixture', 'stubs', 'handlers', 'profile', 'tls-cert', 'tls-key']

/** The whole path of a file that does not exist, because its path could be meant relative to the config file. */
function showMissing(path: unknown): unknown {
  if (typeof path !== 'string' || isAbsolute(path) || isShippedFixture(path) || existsSync(path)) return path
  return resolve(path)
}

/** Checks the value with the flag's own parser, so that the error names the source of the value. */
function readValue(
  value: unknown,
  { flag, option = {}, source }: { flag: string; option: Options | undefined; source: string },
): unknown {
  const refuse = (sentence: string): UsageError => new UsageError(sentence)
  if (option.type === 'boolean') return parseOr(BOOLEAN, value, { subject: source, refuse })
  if (option.choices !== undefined)
    return parseOr(oneOf(option.choices.map(String)), value, { subject: source, refuse })
  try {
    option.coerce?.(value)
    return value
  } catch (error) {
    throw new UsageError((error as Error).message.replace(`--${flag}`, source), { cause: error })
  }
}

/** The values of a flag that is on or off. */
export const BOOLEAN: Schema<boolean> = readAs(readBoolean, 'true or false')

function readBoolean(value: unknown): boolean | undefined {
  if (value === true || value === 'true' || value === '1') return true
  return value === false || value === 'false' || value === '0' ? false : undefined
}

function readObject(path: string): object {
  const text = readText(path)
  try {
    const config = parseExactJson(text)
    const repeated = findRepeatedName(text)
    if (repeated !== undefined) {
      const name = text.slice(repeated, skipString(text, repeated))
      throw new UsageError(`--config: ${path}: the name ${name} is already used.`)
    }
    if (isJsonObject(config)) return config
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError(`--config: ${path} is not JSON (${(cause as Error).message}).`, { cause })
  }
  throw new UsageError(`--config: ${path} must contain a JSON object with flags as properties.`)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    throw new UsageError(`--config: ${path} cannot be read (${toFileReason(cause)}).`, { cause })
  }
}

/** The variables of a flag, also of its long aliases. */
function toVariables([name, { alias = [] }]: [string, Options]): string[] {
  return [name, ...[alias].flat().filter((each) => each.length > 1)].map(toVariable)
}

function toVariable(flag: string): string {
  return PREFIX + flag.replaceAll('-', '_').toUpperCase()
}

export function toCamelCase(flag: string): string {
  return flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
