import { parseOr, type Schema } from '../http/schema.ts'
import { UsageError } from './io.ts'
import { readBytes } from './read-bytes.ts'
import { parseDataFile, toReason } from './read-fixture.ts'

/** Which file to read, and what it may contain. */
export interface DataFile<Output> {
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
export async function readDataFile<Output>({
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
    throw new UsageError(`${flag}: ${path} cannot be read (${toReason(cause)}).`, { cause })
  })
  return parseDataFile(bytes, path)
}
