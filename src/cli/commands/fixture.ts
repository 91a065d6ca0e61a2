import { MockError } from '../../http/mock-error.ts'
import { generateFixture } from '../../store/generate-fixture.ts'
import { loadSeed } from '../../store/seed.ts'
import type { Command } from '../command.ts'
import { readFixture, toFixtureText } from '../data-file.ts'
import { openOutput } from '../files.ts'
import { type Io, UsageError } from '../io.ts'
import type { Flags } from '../options.ts'
import { count } from '../terminal.ts'

/** `petstore-mock fixture validate`: lists every error in every file. */
export const validate: Command<Flags<'fixture validate'> & { files: readonly string[] }> = {
  summary: 'check fixture files and list every error',
  usage: '<files..>',
  positionals: {
    files: { type: 'string', array: true, demandOption: true, describe: 'fixture files, or names of shipped ones' },
  },
  examples: [['fixture validate pets.json pets.yaml', 'exit code 2 if a file has an error']],
  async run({ files }, io) {
    const results = await Promise.all(files.map((file) => validateFile(file, io)))
    return results.every(Boolean) ? 0 : 2
  },
}

/** `petstore-mock fixture generate`: the same flags give the same pets on every machine. */
export const generate: Command<Flags<'fixture generate'>> = {
  summary: 'generate a fixture of any size',
  examples: [['fixture generate --pets 1000 -o stock.json', 'a fixture of 1,000 pets']],
  async run({ pets, randomSeed, output, force }, io) {
    const write = await openOutput({ output, force }, io)
    await write(toFixtureText(generateFixture({ pets, randomSeed })))
    return 0
  },
}

async function validateFile(file: string, io: Io): Promise<boolean> {
  try {
    io.out(`${file}: ok, ${count(loadSeed(await readFixture(file), file).pets.size, 'pet')}`)
    return true
  } catch (error) {
    if (!(error instanceof MockError || error instanceof UsageError)) throw error
    io.err(error.message)
    return false
  }
}
