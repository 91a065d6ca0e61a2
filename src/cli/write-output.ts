import { writeFile } from 'node:fs/promises'
import { type Io, UsageError } from './io.ts'
import { toReason } from './read-fixture.ts'

/** Writes a command's result to the file of `--output`, or else to standard output. */
export async function writeOutput(text: string, { output, io }: { output: string | undefined; io: Io }): Promise<void> {
  if (output === undefined) return io.out(text)
  try {
    await writeFile(output, `${text}\n`)
  } catch (cause) {
    throw new UsageError(`--output: ${output} cannot be written (${toReason(cause)}).`, { cause })
  }
}
