import { surveyService } from '../../check/survey.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { MockError } from '../../http/mock-error.ts'
import { quote } from '../../http/quote.ts'
import { toInventoryItem } from '../../inventory/pet.ts'
import { FixtureError, parseFixture, parseJsonText } from '../../store/fixture.ts'
import { generateFixture } from '../../store/generate-fixture.ts'
import { Seeds } from '../../store/seed.ts'
import { type Command, INTERRUPTED, type Io, UsageError } from '../command.ts'
import { decodeUtf8, openOutput, readFixture, toFixtureText } from '../files.ts'
import type { Flags } from '../options.ts'
import { count, writeProblem } from '../terminal.ts'

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
    io.out(`${file}: ok, ${count(new Seeds(undefined, { [file]: await readFixture(file) }).initial.pets.size, 'pet')}`)
    return true
  } catch (error) {
    if (!(error instanceof MockError || error instanceof UsageError)) throw error
    writeProblem(io, error.message)
    return false
  }
}

export const record: Command<Flags<'record'> & { url: string }> = {
  summary: "write a fixture from a running service's inventory",
  usage: '<url>',
  positionals: {
    url: {
      type: 'string',
      demandOption: true,
      describe: "the service's base URL, such as http://127.0.0.1:4100/v1; without a path, /v1 and then / are tried",
    },
  },
  examples: [['record http://127.0.0.1:4100 -k demo-key -o stock.json', 'write the pets of a service to a fixture']],
  async run({ url, apiKey, timeout, output, force }, io) {
    const write = await openOutput({ output, force }, io)
    const timer = AbortSignal.timeout(timeout)
    const wanted = { url, apiKey, signal: io.stop, responseLimitMs: timeout }
    try {
      const { service, list } = await surveyService(wanted, { timeout: timer })
      const address = `${service.url}/inventory`
      if (list.status !== 200) throw new UsageError(`${address} responded with ${list.status} instead of 200.`)
      const inventory = parseList(decodeUtf8(list.body, address), address)
      await write(toFixtureText({ description: `Recorded from ${service.url}`, inventory }))
      return 0
    } catch (error) {
      if (io.stop.aborted) return INTERRUPTED
      if (!timer.aborted) throw error
      const sentence = `${hideInAddress(url)} did not send its whole list in ${timeout / 1000} s. Raise the limit with --timeout.`
      throw new UsageError(sentence, { cause: error })
    }
  },
}

/** @throws {FixtureError} */
function parseList(text: string, origin: string) {
  const list = parseJsonText(text, origin)
  if (!Array.isArray(list)) throw new FixtureError(origin, [`must be a list of pets, got ${quote(list)}`])
  return Array.from(parseFixture({ inventory: list }, origin).values(), toInventoryItem)
}
