import { hideInAddress } from '../../http/hide-credentials.ts'
import { isPetKey } from '../../inventory/pet.ts'
import { openFidelityFile } from '../check/fidelity-file.ts'
import { watchCheck } from '../check/watch-check.ts'
import { writeProfile } from '../check/write-profile.ts'
import type { Command } from '../command.ts'
import { loadProfile } from '../data-file.ts'
import { INTERRUPTED, type Io, UsageError } from '../io.ts'
import type { Flags } from '../options.ts'
import { createPaint } from '../terminal.ts'

type CheckFlags = Flags<'check'> & { readonly url?: string | undefined }

/** Exit code if the service breaks a rule. */
const FAILED = 1

/** `petstore-mock check`: runs the conformance cases through Prism. */
export const check: Command<Flags<'check'> & { url?: string | undefined }> = {
  summary: 'check the mock, or a running service, against the specification with Prism',
  usage: '[url]',
  positionals: { url: { type: 'string', describe: 'a running service; the mock itself by default' } },
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
    const { url, profile, diff } = flags
    // `--profile` names what is written, and with `--diff` what is read.
    if (url === undefined || diff || profile === undefined) return printReport(flags, io)
    return writeProfile(url, { flags, io, path: profile })
  },
}

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
