import { stat, writeFile } from 'node:fs/promises'
import { type Io, UsageError } from './io.ts'
import { toReason } from './read-fixture.ts'

/** Where a command writes its result. */
export interface OutputFlags {
  readonly output?: string | undefined
  readonly force: boolean
}

/**
 * Opens the file of `--output`, or else standard output. To be called before the work whose result is written.
 * @throws {UsageError} where there is a file already that `--force` does not give away.
 */
export async function openOutput(
  { output, force }: OutputFlags,
  io: Io,
): Promise<(text: string) => void | Promise<void>> {
  if (output === undefined) return io.out
  if (!force && (await hasContent(output))) throw toThereError(output)
  return async (text) => {
    try {
      await writeFile(output, `${text}\n`)
    } catch (cause) {
      throw new UsageError(`--output: ${output} cannot be written (${toReason(cause)}).`, { cause })
    }
  }
}

/** A pipe or a device has nothing to lose, nor has an empty file, such as mktemp makes. */
async function hasContent(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return stats?.isFile() === true && stats.size > 0
}

function toThereError(path: string): UsageError {
  return new UsageError(`--output: ${path} is there already. Give another file, or --force to replace it.`)
}
