import type { CheckProgress, RestoredStock } from '../../check/index.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { isPetKey } from '../../inventory/pet-id.ts'
import type { Command } from '../command.ts'
import { INTERRUPTED, type Io, UsageError } from '../io.ts'
import { createPaint } from '../paint.ts'
import { parseList, parseOnce } from '../parse-flag.ts'
import { API_KEY_FLAG } from '../shared-flags.ts'
import { withProgress } from '../with-progress.ts'

// Not imported from check/, which is loaded on demand.
const REPORTERS = ['pretty', 'json', 'junit', 'markdown'] as const

interface CheckFlags {
  readonly url?: string | undefined
  readonly apiKey: string
  readonly write: boolean
  readonly pet?: readonly string[] | undefined
  readonly reporter: (typeof REPORTERS)[number]
}

/** Exit code if the service breaks a rule. */
const FAILED = 1

/** `petstore-mock check`: runs the conformance cases through Prism. */
export const check: Command<CheckFlags> = {
  summary: 'check the mock, or a running service, against the specification with Prism',
  positionals: {
    url: { type: 'string', coerce: parseOnce('url'), describe: 'a running service; the mock itself by default' },
  },
  options: {
    'api-key': API_KEY_FLAG,
    write: {
      type: 'boolean',
      default: false,
      describe: 'also send updates, and restore the stock afterwards; read-only by default',
    },
    pet: {
      type: 'string',
      array: true,
      requiresArg: true,
      coerce: parseList('pet'),
      describe: 'id of a pet that --write may update; repeatable; any by default',
    },
    reporter: { choices: REPORTERS, default: 'pretty', describe: 'format of the report' },
  },
  examples: [
    ['check', 'check the mock itself'],
    ['check http://127.0.0.1:4100/v1 --api-key demo-key', 'check a running service without changing anything'],
    ['check http://127.0.0.1:4100/v1 --write --pet 7', 'also check updates, of pet 7 alone'],
    ['check --reporter junit > report.xml', 'a report for CI'],
  ],
  check({ url, write, pet = [] }) {
    if (url === undefined && (write || pet.length > 0)) {
      throw new UsageError(`--${write ? 'write' : 'pet'} needs the URL of a running service.`)
    }
    if (pet.length > 0 && !write) throw new UsageError('--pet needs --write.')
    const wrong = pet.find((id) => !isPetKey(id))
    if (wrong !== undefined) throw new UsageError(`--pet must be an int64, got ${JSON.stringify(wrong)}.`)
  },
  async run({ url, apiKey, write, pet, reporter }, io) {
    const { formatReport, runCheck } = await import('../../check/index.ts')
    const run = runCheck({
      ...(url !== undefined && { url, write }),
      petIds: pet,
      apiKey,
      signal: io.stop,
      onCase: createProgressLines(io),
      onRestored: (restored) => {
        const { problem, unconfirmed } = restored
        if (io.stop.aborted || problem !== undefined) io.err(toRestoredLine(restored))
        if (unconfirmed.length > 0) io.err(toUnconfirmedLine(unconfirmed))
      },
    })
    // A second signal waits until the stock is restored.
    const end = run.catch(() => {})
    io.hold(end)
    const announce = (): unknown =>
      withProgress('Waiting for the service, to put the stock back…', { io, work: () => end })
    if (write) io.stop.addEventListener('abort', announce, { once: true })
    try {
      const report = await withProgress(`Checking ${url === undefined ? 'the mock' : hideInAddress(url)}…`, {
        io,
        work: () => run,
      })
      io.out(formatReport(report, { reporter, paint: createPaint(io, 'out') }))
      return report.failed === 0 ? 0 : FAILED
    } catch (error) {
      if (io.stop.aborted) return INTERRUPTED
      throw error
    }
  },
}

function toRestoredLine({ petIds, problem }: RestoredStock): string {
  const pets = toPetNames(petIds)
  return problem === undefined
    ? `The stock of ${pets} was put back.`
    : `The stock of ${pets} could not be put back as it was: ${problem}.`
}

function toUnconfirmedLine(petIds: readonly string[]): string {
  return `An update of ${toPetNames(petIds)} got no response, and the service may still apply it: look at the stock again later.`
}

function toPetNames(petIds: readonly string[]): string {
  return `pet${petIds.length === 1 ? '' : 's'} ${petIds.join(', ')}`
}

/** The number of progress lines during a check. */
const STEPS = 4

/** Prints the progress of a check from time to time, in a terminal. */
function createProgressLines(io: Io): ((progress: CheckProgress) => void) | undefined {
  if (!io.isTerminal.err) return undefined
  let said = 0
  return ({ title, done, count }) => {
    if (Math.floor((done * STEPS) / count) <= said) return
    said += 1
    io.err(`${done} of ${count} cases: ${title}`)
  }
}
