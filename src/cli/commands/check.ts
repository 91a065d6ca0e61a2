import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { REPORTERS } from '../../check/reporters.ts'
import { explainRestored } from '../../check/restored-stock.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { oneOf, parseOr } from '../../http/schema.ts'
import { isPetKey } from '../../inventory/pet.ts'
import { GRACE } from '../../runtimes/server/serve-options.ts'
import { openRecordFile } from '../check/record-file.ts'
import { watchCheck } from '../check/watch-check.ts'
import type { Command } from '../command.ts'
import { loadOriginals, loadProfile } from '../data-file.ts'
import { openOutput } from '../files.ts'
import { INTERRUPTED, type Io, UsageError } from '../io.ts'
import type { Flags } from '../options.ts'
import { createPaint } from '../terminal.ts'

type CheckFlags = Flags<'check'> & { readonly url?: string | undefined }

const refuse = (sentence: string): UsageError => new UsageError(sentence)

const EXIT_CODES = { kept: 0, broken: 1, inconclusive: 3 } as const

/** `petstore-mock check`: runs the table of cases against a service. */
export const check: Command<CheckFlags> = {
  summary: 'check the mock, or a running service, against the specification with Prism',
  usage: '[url]',
  positionals: { url: { type: 'string', describe: 'a running service; the mock itself by default' } },
  examples: [
    ['check', 'check the mock itself'],
    ['check http://127.0.0.1:4100/v1 --api-key demo-key', 'check a running service without changing anything'],
    ['check http://127.0.0.1:4100/v1 --write --pet 7', 'also check updates, of pet 7 alone'],
    ['check http://127.0.0.1:4100/v1 --write --diff --write-profile p.json', 'how it decides what is open'],
    ['check --reporter pretty --reporter junit=report.xml', 'a report for people, and one for CI'],
  ],
  check({ url, write, pet = [], diff, profile, writeProfile, force, record, maxAge, restore, reporter, header = [] }) {
    const needsUrl = { write, pet: pet[0], diff, profile, 'write-profile': writeProfile }
    const [flag] = Object.entries(needsUrl).find(([, value]) => value !== undefined && value !== false) ?? []
    if (url === undefined && flag !== undefined) throw new UsageError(`--${flag} needs the URL of a running service.`)
    if (writeProfile !== undefined && force && !write)
      throw new UsageError('--force needs --write: without updates, the check learns too little to replace a profile.')
    if (maxAge !== undefined && record === undefined) throw new UsageError('--max-age needs --record.')
    if (record !== undefined && url === undefined && maxAge === undefined)
      throw new UsageError('--record needs the URL of a running service, or --max-age.')
    if (restore !== undefined && write) throw new UsageError('--restore and --write cannot be combined.')
    if (pet.length > 0 && !write) throw new UsageError('--pet needs --write.')
    const wrong = pet.find((id) => !isPetKey(id))
    if (wrong !== undefined) throw new UsageError(`--pet must be an int64, got ${JSON.stringify(wrong)}.`)
    parseReporters(reporter)
    parseHeaders(header)
  },
  async run(flags, io) {
    return flags.restore === undefined ? printReports(flags, io) : restoreStock(flags.restore, { flags, io })
  },
}

async function printReports(flags: CheckFlags, io: Io): Promise<number> {
  const { url, apiKey, write, quiet, pet: petIds, diff, profile, writeProfile, force, record, maxAge, only } = flags
  const known = profile === undefined ? undefined : await loadProfile(profile)
  const addRecord = record && (await openRecordFile(record, { maxAge, hasService: url !== undefined, io }))
  const profileFile = { output: writeProfile, force, flag: '--write-profile', hint: 'To read it, pass --profile.' }
  const writeFile = writeProfile && (await openOutput(profileFile, io))
  const reports = await Promise.all(
    parseReporters(flags.reporter).map(async ({ reporter, path: output }) => ({
      reporter,
      print: await openOutput({ output, force: true, flag: '--reporter' }, io),
    })),
  )
  const originalsFile = join(tmpdir(), `petstore-mock-stock-${process.pid}-${Date.now()}.json`)
  const { formatPoints, formatReport, runCheck } = await import('../../check/index.ts')
  const run = await watchCheck({
    io,
    line: `Checking ${url === undefined ? 'the mock' : hideInAddress(url)}…`,
    quiet,
    originalsFile,
    start: (hooks) =>
      runCheck({
        ...(url === undefined ? {} : { url, write, petIds, originalsFile }),
        apiKey,
        diff,
        profile: known,
        findProfile: writeProfile !== undefined,
        only,
        headers: parseHeaders(flags.header),
        limitMs: parseOr(GRACE, flags.timeout, { subject: '--timeout', refuse }),
        ...hooks,
      }),
  })
  if (run === undefined) return INTERRUPTED
  const { report, found } = run
  for (const { reporter, print } of reports) {
    const printed = found === undefined ? report : { ...report, points: found.points }
    await print(formatReport(printed, { reporter, isDiff: diff, paint: createPaint(io, 'out') }))
  }
  const isPretty = reports.some(({ reporter }) => reporter === 'pretty')
  if (found !== undefined && isPretty) io.out(formatPoints(found.points))
  if (addRecord) await addRecord(report)
  const description = `${hideInAddress(report.url ?? '')}, seen on ${new Date().toISOString().slice(0, 10)}`
  // Last, so that the points are printed even if the file can no longer be written.
  if (found !== undefined && writeFile) await writeFile(JSON.stringify({ description, ...found.profile }, null, 2))
  return EXIT_CODES[report.verdict]
}

/** `--reporter junit=report.xml` writes to a file, and the others to standard output. */
function parseReporters(flags: readonly string[] | string) {
  return [flags].flat().map((flag) => {
    const [name, ...rest] = flag.split('=')
    const reporter = parseOr(oneOf(REPORTERS), name, { subject: '--reporter', refuse })
    return { reporter, path: rest.length === 0 ? undefined : rest.join('=') }
  })
}

function parseHeaders(flags: readonly string[] = []): Readonly<Record<string, string>> {
  const headers = new Headers()
  for (const flag of flags) {
    if (!/^[\w-]+:/.test(flag)) throw new UsageError("--header must be a name and a value, as in 'X-Tenant: 7'.")
    const colon = flag.indexOf(':')
    headers.append(flag.slice(0, colon), flag.slice(colon + 1).trim())
  }
  return Object.fromEntries(headers)
}

async function restoreStock(path: string, { flags, io }: { flags: CheckFlags; io: Io }): Promise<number> {
  const originals = await loadOriginals(path)
  const { restoreOriginals } = await import('../../check/index.ts')
  const { url = originals.url, apiKey, header } = flags
  const restored = await restoreOriginals({ ...originals, url }, { apiKey, headers: parseHeaders(header) })
  for (const line of explainRestored(restored, path, true)) io.err(line)
  if (restored.problem !== undefined) return restored.isUnreachable ? EXIT_CODES.inconclusive : EXIT_CODES.broken
  await rm(path, { force: true })
  return 0
}
