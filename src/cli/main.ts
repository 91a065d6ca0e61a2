import yargs from 'yargs'
import { MockError } from '../contract/mock-error.ts'
import { VERSION } from '../contract/version.ts'
import { check } from './commands/check.ts'
import { demo } from './commands/demo.ts'
import { generate, validate } from './commands/fixture.ts'
import { init } from './commands/init.ts'
import { record } from './commands/record.ts'
import { serve } from './commands/serve.ts'
import { type Io, UsageError } from './io.ts'

export const PROGRAM = 'petstore-mock'

/** Exit code for wrong use or bad input. */
const WRONG_USE = 2
/** Exit code for a fault of the program's own. */
const BUG = 70

/** Runs the program; resolves to its exit code. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let code = 0
  const run =
    <Flags>(command: (flags: Flags, io: Io) => Promise<number>) =>
    async (flags: Flags): Promise<void> => {
      code = await command(flags, io)
    }
  const parser = yargs()
    .scriptName(PROGRAM)
    .usage('A stateful double of the petstore inventory service.')
    .version(VERSION)
    .env('PETSTORE_MOCK')
    .command(['serve', '$0'], serve.summary, serve.flags, run(serve.run))
    .command('check [url]', check.summary, check.flags, run(check.run))
    .command('record <url>', record.summary, record.flags, run(record.run))
    .command('fixture', 'validate or generate fixtures', (command) =>
      command
        .command('validate <files..>', validate.summary, validate.flags, run(validate.run))
        .command('generate', generate.summary, generate.flags, run(generate.run))
        .demandCommand(1, 'fixture needs a command: validate or generate.'),
    )
    .command('init <dir>', init.summary, init.flags, run(init.run))
    .command('demo', demo.summary, demo.flags, run(demo.run))
    .completion('completion', 'print a script for shell completion')
    .epilogue(`Every flag also works as PETSTORE_MOCK_FLAG_NAME in the environment.`)
    .strict()
    .recommendCommands()
    .help()
    .alias('h', 'help')
    .wrap(100)
    .exitProcess(false)
    .fail((message, error) => {
      throw toError(message, error)
    })
  try {
    await parser.parseAsync(withoutDefault(argv), {}, (_error, _flags, output) => {
      if (output !== '') io.out(output)
    })
    return code
  } catch (error) {
    return report(error, io)
  }
}

/**
 * `serve` is the default command: without its name it is the same, and starts sooner, since yargs writes the help of
 * every command that is named (https://github.com/yargs/yargs/blob/v18.0.0/lib/command.ts, `cacheHelpMessage`).
 */
function withoutDefault(argv: readonly string[]): string[] {
  const isPlain = argv[0] === 'serve' && !argv.some((arg) => arg === '--help' || arg === '-h')
  return isPlain ? argv.slice(1) : [...argv]
}

/** yargs has an error of its own for what it refuses, and one for what a flag's reader refuses. */
function toError(message: string | null, error: Error | undefined): Error {
  if (error !== undefined && error.name !== 'YError') return error
  const sentence = (message ?? error?.message ?? '').replaceAll(/\s+/g, ' ')
  return new UsageError(
    /^(Unknown|Did you mean|Not enough)/.test(sentence) ? `${sentence}. See ${PROGRAM} --help` : sentence,
  )
}

function report(error: unknown, io: Io): number {
  if (error instanceof UsageError || error instanceof MockError) {
    io.err(`${PROGRAM}: ${error.message}`)
    return WRONG_USE
  }
  io.err(error instanceof Error ? String(error.stack) : String(error))
  return BUG
}
