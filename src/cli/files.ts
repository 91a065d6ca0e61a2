import { access, constants, lstat, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { isJsonObject, parseExactJson } from '../http/exact-json.ts'
import { quote, suggest } from '../http/quote.ts'
import { parseOr, type Schema } from '../http/schema.ts'
import { explainSource, type Fixture, FixtureError } from '../store/fixture.ts'
import { type FixtureSource, isShippedFixture, SHIPPED_FIXTURES } from '../store/seed.ts'
import { type Io, UsageError } from './command.ts'

export function hasErrorCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code
}

export function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The error for a file that cannot be read or written. @param name The flag and the path: `--state: a.json`. */
export function toFileError(name: string, done: 'read' | 'written', cause: unknown): UsageError {
  return new UsageError(`${name} cannot be ${done} (${(cause as Error).message}).`, { cause })
}

/** @param name The flag and the path, for the message. @throws {UsageError} */
export async function readBytes(path: string, name: string): Promise<Buffer> {
  return readFile(path).catch((cause) => {
    throw toFileError(name, 'read', cause)
  })
}

interface OutputFile {
  readonly output: string | undefined
  readonly force: boolean
  /** @default '--output' */
  readonly flag?: string
  /** Whether a text is an older output. Its file needs no force, and is removed at once: a failed run leaves none. */
  readonly isOwn?: (text: string) => boolean
}

/** Opens the file of a flag, or standard output without one. Call it before the work, so that it fails early. */
export async function openOutput(
  { output, force, flag = '--output', isOwn = () => false }: OutputFile,
  io: Io,
): Promise<(text: string) => void | Promise<void>> {
  if (output === undefined) return io.out
  const name = `${flag}: ${output}`
  // Pipes, devices and empty files (from mktemp, for example) have nothing to lose.
  const stats = await stat(output).catch(() => undefined)
  const isFull = stats?.isFile() === true && stats.size > 0
  const isOld = isFull && isOwn(await readFile(output, 'utf8').catch(() => ''))
  if (isFull && !isOld && !force) {
    throw new UsageError(`${name} already exists. Choose another file, or pass --force to overwrite it.`)
  }
  const refuse = (cause: unknown): never => {
    throw toFileError(name, 'written', cause)
  }
  if (stats?.isDirectory()) refuse(new Error('it is a folder'))
  // The dot makes sure that it is a folder.
  await access(stats === undefined ? `${dirname(output)}/.` : output, constants.W_OK).catch(refuse)
  // Links such as /dev/stdout and mounted files stay, and are overwritten.
  if (isOld && (await lstat(output)).isFile()) await rm(output).catch(() => {})
  return (text) => writeFile(output, `${text}\n`).catch(refuse)
}

/** Reads the fixture of a shipped one's name, or of a file's path. Does not validate it. */
export async function readFixture(path: string): Promise<FixtureSource> {
  if (isShippedFixture(path)) return path
  const bytes = await readBytes(path, path).catch((cause: Error) => {
    const shipped = Object.keys(SHIPPED_FIXTURES)
    const hint = suggest(path, shipped) || ` Pass a file or the name of a shipped fixture: ${shipped.join(', ')}.`
    throw new UsageError(cause.message + hint, { cause })
  })
  const value = await parseDataFile(bytes, path)
  // A bare string could pass for the name of a shipped fixture.
  if (isJsonObject(value)) return value as unknown as Fixture
  throw new FixtureError(path, [`must be a JSON object, got ${quote(value)}${explainSource(value)}`])
}

/** Serializes a fixture with one line per pet. Ids beyond ±(2^53−1) become strings, so that no tool rounds them. */
export function toFixtureText({ description, inventory }: Fixture): string {
  const lines = inventory.map(({ petId, quantity, status }) => {
    const id = typeof petId === 'bigint' ? String(petId) : petId
    return `    { "petId": ${JSON.stringify(id)}, "quantity": ${quantity}, "status": ${JSON.stringify(status)} }`
  })
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`
  return `{\n  "description": ${JSON.stringify(description ?? '')},\n  "inventory": ${list}\n}`
}

/** What a schema reads from the file of a flag. @throws {UsageError} naming the flag, the file and the place in it. */
export async function loadFile<Output>(flag: string, path: string, schema: Schema<Output>): Promise<Output> {
  const refuse = (sentence: string): UsageError => new UsageError(`${flag}: ${path}: ${sentence}`)
  return parseOr(schema, await parseDataFile(await readBytes(path, `${flag}: ${path}`), path), {
    subject: 'the file',
    refuse,
  })
}

/** @throws {FixtureError} for a syntax error. */
async function parseDataFile(bytes: Uint8Array, path: string): Promise<unknown> {
  const text = decodeUtf8(bytes, path)
  const extension = extname(path).toLowerCase()
  const isYaml = extension === '.yaml' || extension === '.yml'
  try {
    return isYaml ? await parseYaml(text) : parseJson(text)
  } catch (cause) {
    const [reason = ''] = (cause as Error).message.split(':\n')
    throw new FixtureError(path, [`is not ${isYaml ? 'YAML' : 'JSON'}: ${reason.replaceAll(/\s+/g, ' ')}`], { cause })
  }
}

/** The message of `JSON.parse` itself shows the place, by its position or by the text around it. */
function parseJson(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch (error) {
    JSON.parse(text)
    throw error
  }
}

/** JSON is UTF-8 (RFC 8259, section 8.1). A byte order mark is dropped. @throws {FixtureError} */
export function decodeUtf8(bytes: Uint8Array, origin: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new FixtureError(origin, ['is not UTF-8'], { cause })
  }
}

/** YAML 1.2. Integers of any size are exact. */
async function parseYaml(text: string): Promise<unknown> {
  // Loaded only for YAML, because the parser is as large as the rest of the program.
  const { parse } = await import('yaml')
  const toNumberWhereExact = (_key: unknown, value: unknown): unknown =>
    typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
  return parse(text, toNumberWhereExact, { intAsBigInt: true, logLevel: 'error' })
}
