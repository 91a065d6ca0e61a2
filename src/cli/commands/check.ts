import { hideInAddress } from '../../http/hide-credentials.ts'
import { isPetKey } from '../../inventory/pet.ts'
import { openFidelityFile } from '../check/fidelity-file.ts'
import { watchCheck } from '../check/watch-check.ts'
import { type ServiceFlags, writeProfile } from '../check/write-profile.ts'
import type { Command } from '../command.ts'
import { INTERRUPTED, type Io, UsageError } from '../io.ts'
import { createPaint } from '../paint.ts'
import { parseList, parseOnce, parseWhole } from '../parse-flag.ts'
import { loadProfile } from '../read-data-file.ts'
import { API_KEY_FLAG, FORCE_FLAG } from '../shared-flags.ts'

// Not imported from check/, which is loaded on demand.
const REPORTERS = ['pretty', 'json', 'junit', 'markdown'] as const

interface CheckFlags extends ServiceFlags {
  readonly url?: string | undefined
  readonly diff: boolean
  readonly profile?: string | undefined
  readonly force: boolean
  readonly record?: string | undefined
  readonly maxAge?: number | undefined
  readonly reporter: (typeof REPORTERS)[number]
}

/** Exit code if the service breaks a rule. */
const FAILED = 1

/** `petstore-mock check`: runs the conformance cases through Prism. */
export const check: Command<CheckFlags, 'url'> = {
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
    diff: {
      type: 'boolean',
      default: false,
      describe: 'compare the service with the mock over the same stock, instead of judging it; needs no Prism',
    },
    profile: {
      requiresArg: true,
      coerce: parseOnce('profile'),
      describe:
        'write how the service decides where the specification is silent; with --diff, the mock decides so; not from the environment',
    },
    force: { ...FORCE_FLAG, describe: `${FORCE_FLAG.describe}; not from the environment` },
    record: {
      requiresArg: true,
      coerce: parseOnce('record'),
      describe:
        'write to this file which rules the service was seen to follow, and when; older observations in it are kept; not from the environment',
    },
    'max-age': {
      requiresArg: true,
      coerce: parseWhole('max-age', { min: 0, max: 36_500 }),
      describe: 'warn of observations in the file of --record that are older than this many days',
    },
    quiet: { alias: 'q', type: 'boolean', default: false, describe: 'do not print the progress' },
    reporter: { choices: REPORTERS, default: 'pretty', describe: 'format of the report' },
  },
  // PETSTORE_MOCK_PROFILE is meant for `serve`, which reads the file.
  commandLineOnly: ['profile', 'force', 'record'],
  examples: [
    ['check', 'check the mock itself'],
    ['check http://127.0.0.1:4100/v1 --api-key demo-key', 'check a running service without changing anything'],
    ['check http://127.0.0.1:4100/v1 --write --pet 7', 'also check updates, of pet 7 alone'],
    ['check http://127.0.0.1:4100/v1 --write --profile p.json', 'how it decides where the specification is silent'],
    ['check http://127.0.0.1:4100/v1 --write --record f.json', 'record which rules the service follows'],
    ['check --reporter junit > report.xml', 'a report for CI'],
  ],
  check({ url, write, pet = [], diff, profile, force, record, maxAge, reporter }) {
    const needsUrl = { write, pet: pet.length > 0, diff, profile: profile !== undefined }
    const [flag] = Object.entries(needsUrl).find(([, isGiven]) => isGiven) ?? []
    if (url === undefined && flag !== undefined) throw new UsageError(`--${flag} needs the URL of a running service.`)
    if (profile !== undefined && !diff && force && !write)
      throw new UsageError(
        '--force needs --write: without updates, the check learns too little to replace a profile. To read a profile, add --diff.',
      )
    if (profile !== undefined && !diff && reporter !== 'pretty' && reporter !== 'json')
      throw new UsageError(`--profile and --reporter ${reporter} cannot be combined. Use pretty or json.`)
    if (record !== undefined && profile !== undefined && !diff)
      throw new UsageError('--record and --profile can only be combined with --diff.')
    if (maxAge !== undefined && record === undefined) throw new UsageError('--max-age needs --record.')
    if (record !== undefined && url === undefined && maxAge === undefined)
      throw new UsageError('--record needs the URL of a running service, or --max-age.')
    if (pet.length > 0 && !write) throw new UsageError('--pet needs --write.')
    const wrong = pet.find((id) => !isPetKey(id))
    if (wrong !== undefined) throw new UsageError(`--pet must be an int64, got ${JSON.stringify(wrong)}.`)
  },
  async run(flags, io) {
    const { url, profile, force, diff } = flags
    if (url === undefined || diff || profile === undefined) return printReport(flags, io)
    return writeProfile(url, { flags, io, output: { output: profile, force, flag: '--profile', hint: READ_HINT } })
  },
}

/** `--profile` names what is written, and with `--diff` what is read. */
const READ_HINT = 'To compare the service with this profile, add --diff.'

/** Judges the service or the mock itself, or compares the two. */
async function printReport(
  { url, apiKey, write, quiet, pet: petIds, diff, profile, record, maxAge, reporter }: CheckFlags,
  io: Io,
): Promise<number> {
  const decisions = profile === undefined ? undefined : await loadProfile(profile)
  const file =
    record === undefined
      ? undefined
      : await openFidelityFile({ path: record, maxAge, hasService: url !== undefined, io })
  const { formatReport, runCheck, runDiff, toDiffReport } = await import('../../check/index.ts')
  const report = await watchCheck({
    io,
    write,
    quiet,
    line: `Checking ${url === undefined ? 'the mock' : hideInAddress(url)}…`,
    start(hooks) {
      if (url === undefined) return runCheck({ apiKey, ...hooks })
      const options = { url, apiKey, write, petIds, ...hooks }
      return diff ? runDiff({ ...options, profile: decisions }) : runCheck(options)
    },
  })
  if (report === undefined) return INTERRUPTED
  const paint = createPaint(io, 'out')
  io.out(diff && reporter === 'pretty' ? toDiffReport(report, paint) : formatReport(report, { reporter, paint }))
  await file?.update(report)
  return report.failed === 0 ? 0 : FAILED
}
