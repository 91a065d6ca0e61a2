import { MockError } from '../../http/mock-error.ts'
import { parseFixture } from '../../store/fixture.ts'
import { generateFixture } from '../../store/generate-fixture.ts'
import { isShippedFixture, SHIPPED_FIXTURES } from '../../store/seed.ts'
import type { Command } from '../command.ts'
import { count } from '../count.ts'
import { toFixtureText } from '../fixture-text.ts'
import { type Io, UsageError } from '../io.ts'
import { readFixtureFile } from '../read-fixture.ts'
import { FORCE_FLAG, OUTPUT_FLAG, PETS_FLAG, RANDOM_SEED_FLAG } from '../shared-flags.ts'
import { isLargeInventory } from '../with-progress.ts'
import { type OutputFlags, openOutput } from '../write-output.ts'

/** `petstore-mock fixture validate`: lists every error in every file. */
export const validate: Command<{ files: string[] }, 'files'> = {
  summary: 'check fixture files and list every error',
  positionals: {
    files: { type: 'string', array: true, demandOption: true, describe: 'fixture files, or names of shipped ones' },
  },
  options: {},
  examples: [['fixture validate pets.json pets.yaml', 'exit code 2 if a file has an error']],
  async run({ files }, io) {
    const results = await Promise.all(files.map((file) => validateFile(file, io)))
    return results.every(Boolean) ? 0 : 2
  },
}

interface GenerateFlags extends OutputFlags {
  readonly pets: number
  readonly randomSeed: number
}

/** `petstore-mock fixture generate`: the same flags give the same pets on every machine. */
export const generate: Command<GenerateFlags> = {
  summary: 'generate a fixture of any size',
  options: {
    pets: { ...PETS_FLAG, demandOption: true, describe: 'number of pets' },
    'random-seed': RANDOM_SEED_FLAG,
    output: OUTPUT_FLAG,
    force: FORCE_FLAG,
  },
  examples: [['fixture generate --pets 1000 -o stock.json', 'a fixture of 1,000 pets']],
  async run(flags, io) {
    const { pets, randomSeed } = flags
    const write = await openOutput(flags, io)
    if (isLargeInventory({ pets })) io.err(`Generating ${pets} pets…`)
    await write(toFixtureText(generateFixture({ pets, randomSeed })))
    return 0
  },
}

async function validateFile(file: string, io: Io): Promise<boolean> {
  try {
    const content = isShippedFixture(file) ? SHIPPED_FIXTURES[file] : await readFixtureFile(file)
    const pets = parseFixture(content, file)
    io.out(`${file}: ok, ${count(pets.size, 'pet')}`)
    return true
  } catch (error) {
    if (!(error instanceof MockError || error instanceof UsageError)) throw error
    io.err(error.message)
    return false
  }
}
