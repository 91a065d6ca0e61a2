import { stat, writeFile } from 'node:fs/promises'
import { assertWritable } from './assert-writable.ts'
import { type Io, UsageError } from './io.ts'
import { toFileReason } from './to-file-reason.ts'

/** Where a command writes its result. */
export interface OutputFlags {
  readonly output?: string | undefined
  readonly force: boolean
}

export interface OutputFile extends OutputFlags {
  /**
   * The flag that names the file, for messages.
   * @default '--output'
   */
  readonly flag?: string
  /** What else the user may have meant by a file that exists, as a sentence. */
  readonly hint?: string | undefined
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
  if (!force && (await hasContent(output))) throw toThereError(output, { flag, hint })
  await assertWritable(output, flag)
  return async (text) => {
    try {
      await writeFile(output, `${text}\n`)
      if (/\.ya?ml$/i.test(output)) io.err(`${output} contains JSON, which YAML parsers read too.`)
    } catch (cause) {
      throw new UsageError(`${flag}: ${output} cannot be written (${toFileReason(cause)}).`, { cause })
    }
  }
}

/** Pipes, devices and empty files (from mktemp, for example) have nothing to lose. */
async function hasContent(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return stats?.isFile() === true && stats.size > 0
}

function toThereError(path: string, { flag, hint }: Pick<OutputFile, 'flag' | 'hint'>): UsageError {
  const sentence = `${flag}: ${path} already exists. Choose another file, or pass --force to overwrite it.`
  return new UsageError(hint === undefined ? sentence : `${sentence} ${hint}`)
}
