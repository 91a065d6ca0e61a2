import { FIDELITY, type Fidelity } from '../check/fidelity/fidelity.ts'
import { parseOr, type Schema } from '../http/schema.ts'
import { PROFILE, type Profile } from '../inventory/profile.ts'
import { UsageError } from './io.ts'
import { parseDataFile } from './parse-data-file.ts'
import { readBytes } from './read-bytes.ts'
import { toFileReason } from './to-file-reason.ts'

/**
 * Reads and checks the file of `--profile`.
 * @throws {UsageError} naming the file and the place in it.
 */
export async function loadProfile(path: string): Promise<Profile> {
  const { content } = await readDataFile({ flag: '--profile', path, schema: PROFILE })
  return content as Profile
}

/**
 * Reads and checks the file of `--record`.
 * @throws {UsageError} naming the file and the place in it.
 */
export async function loadFidelity(path: string): Promise<Fidelity> {
  const { parsed } = await readDataFile({ flag: '--record', path, schema: FIDELITY })
  return parsed
}

/** Which file to read, and what it may contain. */
interface DataFile<Output> {
  /** The flag that names the file: `--profile`. */
  readonly flag: string
  readonly path: string
  readonly schema: Schema<Output>
}

/**
 * Reads a file as YAML, JSON with comments, or JSON, depending on its extension, and validates its content.
 * @returns The content and its validated form.
 * @throws {UsageError} naming the flag, the file and the place in it.
 */
async function readDataFile<Output>({
  flag,
  path,
  schema,
}: DataFile<Output>): Promise<{ readonly content: unknown; readonly parsed: Output }> {
  const content = await readContent(path, flag)
  const refuse = (sentence: string): UsageError => new UsageError(`${flag}: ${path}: ${sentence}`)
  return { content, parsed: parseOr(schema, content, { subject: 'the file', refuse }) }
}

/**
 * The content of a file, not validated.
 * @throws {UsageError} naming the flag and the file.
 */
export async function readContent(path: string, flag: string): Promise<unknown> {
  const bytes = await readBytes(path).catch((cause: unknown) => {
    throw new UsageError(`${flag}: ${path} cannot be read (${toFileReason(cause)}).`, { cause })
  })
  return parseDataFile(bytes, path)
}
