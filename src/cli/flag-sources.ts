import { readFileSync } from 'node:fs'
import { isJsonObject, parseExactJson } from '../http/exact-json.ts'
import { suggest } from '../http/quote.ts'
import { UsageError } from './io.ts'
import { type Option, parseFlag, toCamelCase } from './option.ts'
import { OPTIONS, optionsOf } from './options.ts'

// Flags from the environment or a config file. yargs can read both, but rejects variables of other commands and does
// not say where a bad value came from.

/** Values by flag name, not parsed. */
type FlagValues = Readonly<Record<string, unknown>>

const PREFIX = 'PETSTORE_MOCK_'
/** Also variants of the prefix, which are misspelled. */
const LIKE_PREFIX = /^PETSTORE_?MOCK_/i
/** Set by `petstore-mock exec` for its command. */
const NOT_A_FLAG = `${PREFIX}URL`
/** Kubernetes sets these in every pod beside a Service named petstore-mock, and `PETSTORE_MOCK_PORT` to an address. */
const SERVICE_LINK = /^PETSTORE_MOCK_(?:SERVICE|PORT)_/
const LINKED_PORT = /^(?:tcp|udp):\/\//

/**
 * Reads the `PETSTORE_MOCK_*` variables of one command; those of other commands are ignored.
 * @throws {UsageError} for a variable that no command knows, and for an invalid value.
 */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>, command: string): FlagValues {
  const options = (OPTIONS as readonly Option[]).filter(({ isLineOnly }) => !isLineOnly)
  const read = createReader()
  for (const [variable, value = ''] of Object.entries(env)) {
    if (!LIKE_PREFIX.test(variable) || variable === NOT_A_FLAG || isServiceLink(variable, value)) continue
    const known = options.filter((option) => toVariables(option).includes(variable))
    if (known.length === 0)
      throw new UsageError(`${variable} in the environment is not known.${suggestVariable(variable, options)}`)
    const option = known.find(({ of }) => command in of)
    if (option !== undefined) read.add(option, { value, source: variable })
  }
  return read.values
}

function isServiceLink(variable: string, value: string): boolean {
  return SERVICE_LINK.test(variable) || (variable === `${PREFIX}PORT` && LINKED_PORT.test(value))
}

/** Compared without the prefix, which would make all names similar. */
function suggestVariable(variable: string, options: readonly Option[]): string {
  const name = variable.replace(LIKE_PREFIX, '').toUpperCase()
  const known = options.flatMap(toVariables).map((each) => each.slice(PREFIX.length))
  const longer = known.find((each) => each.endsWith(`_${name}`))
  const hint = longer === undefined ? suggest(name.replace(/^NO_/, ''), known) : ` Did you mean ${longer}?`
  return hint.replace('mean ', `mean ${PREFIX}`)
}

/** The variables of a flag, also of its long aliases. */
function toVariables({ name, alias = [] }: Option): string[] {
  const names = [name, ...alias.filter((each) => each.length > 1)]
  return names.map((each) => PREFIX + each.replaceAll('-', '_').toUpperCase())
}

/**
 * Reads a config file: a JSON object with flags as properties, such as `quantity-min` or `quantityMin`.
 * @throws {UsageError} naming the file, for an unknown property or an invalid value.
 */
export function readConfig(path: string, command: string): FlagValues {
  const options = optionsOf(command).filter(({ name }) => name !== 'config')
  const read = createReader()
  for (const [property, value] of Object.entries(readObject(path))) {
    // For editors: `config.schema.json`.
    if (property === '$schema') continue
    const option = options.find(({ name }) => name === property || toCamelCase(name) === property)
    if (option === undefined) {
      const names = options.map(({ name }) => name)
      const full = options.find(({ alias }) => alias?.includes(property))?.name
      const hint = full === undefined ? suggest(property, names) : ` Did you mean ${full}?`
      throw new UsageError(`${path}: ${property} is not known.${hint}`)
    }
    read.add(option, { value, source: `${path}: ${property}` })
  }
  return read.values
}

/** Collects values, each checked by the flag's own parser, so that the error names their source. */
function createReader() {
  const values: Record<string, unknown> = {}
  const sources = new Map<string, string>()
  return {
    values: values as FlagValues,
    add(option: Option, { value, source }: { value: unknown; source: string }): void {
      const other = sources.get(option.name)
      if (other !== undefined)
        throw new UsageError(`${[source, other].sort().join(' and ')} are the same flag. Keep one.`)
      sources.set(option.name, source)
      const parsed = parseFlag(option, value, source)
      values[option.name] = option.value.kind === 'switch' ? parsed : value
    },
  }
}

function readObject(path: string): object {
  try {
    const config = parseExactJson(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
    if (isJsonObject(config)) return config
  } catch (cause) {
    const done = cause instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    throw new UsageError(`--config: ${path} ${done} (${(cause as Error).message}).`, { cause })
  }
  throw new UsageError(`--config: ${path} must contain a JSON object with flags as properties.`)
}
