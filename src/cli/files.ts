import { access, constants, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Io, UsageError } from './io.ts'

// The files that flags name.

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  ENOTDIR: 'part of its path is not a folder',
  ELOOP: 'its symbolic links form a loop',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the disk',
}

/** A file system error in plain words. */
export function toFileReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? message
}

/** The error for a file that cannot be read or written. @param name The flag and the path: `--state: a.json`. */
export function toFileError(name: string, done: 'read' | 'written', cause: unknown): UsageError {
  return new UsageError(`${name} cannot be ${done} (${toFileReason(cause)}).`, { cause })
}

/** The program's own input, and the pipes of a shell's `<(command)`. Standard output and standard error never end. */
const OPEN_PIPE = /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/(?![12]$)\d+)$/

/**
 * Reads a file of the command line. A named pipe is refused: opening it waits for its writer, and no signal ends the
 * program meanwhile.
 * @param name The flag and the path, for the message.
 * @throws {UsageError}
 */
export async function readBytes(path: string, name: string): Promise<Uint8Array> {
  try {
    if ((await stat(path)).isFIFO() && !OPEN_PIPE.test(path)) throw new Error('it is a named pipe')
    return await readFile(path)
  } catch (cause) {
    throw toFileError(name, 'read', cause)
  }
}

/**
 * Checks that a file can be written, or made in its folder. Call it before the work whose result would be lost.
 * @param name The flag and the path, for the message.
 * @throws {UsageError}
 */
export async function assertWritable(path: string, name: string): Promise<void> {
  try {
    const stats = await stat(path).catch(() => undefined)
    if (stats?.isDirectory()) throw new Error('it is a folder')
    // The dot makes sure that it is a folder.
    await access(stats === undefined ? `${dirname(path)}/.` : path, constants.W_OK)
  } catch (cause) {
    throw toFileError(name, 'written', cause)
  }
}

/** @throws {UsageError} */
export async function writeText(path: string, { name, text }: { name: string; text: string }): Promise<void> {
  await writeFile(path, `${text}\n`).catch((cause) => {
    throw toFileError(name, 'written', cause)
  })
}

/** Where a command writes its result. */
interface OutputFile {
  readonly output: string | undefined
  readonly force: boolean
  /**
   * The flag that names the file, for messages.
   * @default '--output'
   */
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
  await assertWritable(output, name)
  return (text) => writeText(output, { name, text })
}
