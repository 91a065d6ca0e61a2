import { isJsonObject, parseExactJson } from '../http/exact-json.ts'
import { suggest } from '../http/quote.ts'
import { UsageError } from './command.ts'
import { decodeUtf8, readBytes } from './files.ts'
import { OPTIONS, type Option, optionsOf, parseFlag, REQUIRED, toCamelCase } from './options.ts'

type Environment = Readonly<Record<string, string | undefined>>
type FlagValues = ReadonlyMap<string, unknown>

/**
 * The flags of a command in camel case. The command line takes precedence over the environment, the environment over the
 * config file, and that over the default.
 * @param given The flags of the command line, as yargs gives them.
 * @throws {UsageError} for a value that its flag does not accept, naming the source, and for an unknown name in a source.
 */
export async function readFlags(
  command: string,
  { given, env }: { given: Readonly<Record<string, unknown>>; env: Environment },
): Promise<Record<string, unknown>> {
  const options = optionsOf(command)
  const named = options.filter(({ name }) => given[name] !== undefined)
  const line = new Map(named.map((option) => [option.name, parseFlag(option, given[option.name], `--${option.name}`)]))
  // The runs of `mutate` share no state.
  if ('PETSTORE_MOCK_MUTANT_NOTES' in env && !line.has('state')) line.set('state', undefined)
  const environment = readEnvironment(env, command)
  const path = line.get('config') ?? environment.get('config')
  const file = typeof path === 'string' ? await readConfig(path, command) : new Map()
  const sources: readonly FlagValues[] = [line, environment, file]
  const entries = options.map((option) => {
    const { name, of, excludes = '' } = option
    const source = sources.find((each) => each.has(name) || isOn(each, excludes))
    if (source !== undefined && isOn(source, name) && isOn(source, excludes))
      throw new UsageError(`--${name} and --${excludes} cannot be combined.`)
    if (source?.has(name) === true) return [toCamelCase(name), source.get(name)] as const
    if (of[command] === REQUIRED) throw new UsageError(`--${name} is required. See petstore-mock ${command} --help`)
    return [toCamelCase(name), of[command] === undefined ? undefined : parseFlag(option, of[command], name)] as const
  })
  return Object.fromEntries(entries)
}

function isOn(values: FlagValues, name: string): boolean {
  return (values.get(name) ?? false) !== false
}

const PREFIX = 'PETSTORE_MOCK_'
/** Also variants of the prefix, which are misspelled. */
const LIKE_PREFIX = /^PETSTORE_?MOCK_/i
/** Set by `petstore-mock exec` and `mutate` for their commands. */
const NOT_A_FLAG = /^PETSTORE_MOCK_(?:URL|MUTANT|MUTANT_NOTES)$/
/** Kubernetes sets these in every pod beside a Service named petstore-mock, and `PETSTORE_MOCK_PORT` to an address. */
const SERVICE_LINK = /^PETSTORE_MOCK_(?:SERVICE_|PORT_|PORT=(?:tcp|udp):)/

/** Reads the `PETSTORE_MOCK_*` variables of one command; those of other commands are ignored. */
function readEnvironment(env: Environment, command: string): FlagValues {
  const options = (OPTIONS as readonly Option[]).filter(({ isLineOnly }) => !isLineOnly)
  const values = new Map<string, unknown>()
  for (const [variable, value = ''] of Object.entries(env)) {
    if (!LIKE_PREFIX.test(variable) || NOT_A_FLAG.test(variable) || SERVICE_LINK.test(`${variable}=${value}`)) continue
    const known = options.filter((option) => PREFIX + toSnakeCase(option) === variable)
    if (known.length === 0) {
      // Names are compared without the prefix, which would make all of them similar.
      const names = options.map(toSnakeCase)
      const hint = suggest(variable.replace(LIKE_PREFIX, '').toUpperCase(), names)
      throw new UsageError(`${variable} in the environment is not known.${hint.replace('mean ', `mean ${PREFIX}`)}`)
    }
    const option = known.find(({ of }) => command in of)
    if (option !== undefined) values.set(option.name, parseFlag(option, value, variable))
  }
  return values
}

function toSnakeCase({ name }: Option): string {
  return name.replaceAll('-', '_').toUpperCase()
}

/** Reads a config file: a JSON object with flags as properties, such as `quantity-min`. */
async function readConfig(path: string, command: string): Promise<FlagValues> {
  const options = optionsOf(command).filter(({ name }) => name !== 'config')
  const values = new Map<string, unknown>()
  for (const [property, value] of Object.entries(await readObject(path))) {
    // For editors: `config.schema.json`.
    if (property === '$schema') continue
    const option = options.find(({ name }) => name === property)
    if (option === undefined) {
      const names = options.map(({ name }) => name)
      throw new UsageError(`${path}: ${property} is not known.${suggest(property, names)}`)
    }
    values.set(option.name, parseFlag(option, value, `${path}: ${property}`))
  }
  return values
}

async function readObject(path: string): Promise<object> {
  const name = `--config: ${path}`
  const text = decodeUtf8(await readBytes(path, name), name)
  try {
    const config = parseExactJson(text)
    if (isJsonObject(config)) return config
  } catch (cause) {
    throw new UsageError(`${name} is not JSON (${(cause as Error).message}).`, { cause })
  }
  throw new UsageError(`${name} must contain a JSON object with flags as properties.`)
}
