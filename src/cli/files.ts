import { access, constants, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
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

/**
 * Reads a file of the command line.
 * @param name The flag and the path, for the message.
 * @throws {UsageError}
 */
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
  /** What else the user may have meant by a file that exists, as a sentence. */
  readonly hint?: string
}

/**
 * Opens the file of a flag, or standard output without one. Call it before the work, so that it fails early.
 * @throws {UsageError} if the file exists and `--force` is not set, or if it cannot be written.
 */
export async function openOutput(
  { output, force, flag = '--output', hint }: OutputFile,
  io: Io,
): Promise<(text: string) => void | Promise<void>> {
  if (output === undefined) return io.out
  const name = `${flag}: ${output}`
  // Pipes, devices and empty files (from mktemp, for example) have nothing to lose.
  const stats = await stat(output).catch(() => undefined)
  if (!force && stats?.isFile() === true && stats.size > 0) {
    const sentence = `${name} already exists. Choose another file, or pass --force to overwrite it.`
    throw new UsageError(hint === undefined ? sentence : `${sentence} ${hint}`)
  }
  const refuse = (cause: unknown): never => {
    throw toFileError(name, 'written', cause)
  }
  if (stats?.isDirectory()) refuse(new Error('it is a folder'))
  // The dot makes sure that it is a folder.
  await access(stats === undefined ? `${dirname(output)}/.` : output, constants.W_OK).catch(refuse)
  return (text) => writeFile(output, `${text}\n`).catch(refuse)
}
