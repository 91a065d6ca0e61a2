import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { formatPoints, formatReport, isReport, REPORTERS } from '../../check/reporters.ts'
import { explainRestored, isAsBefore, type Originals, restoreOriginals } from '../../check/restore.ts'
import type { CheckRun, RunCheckOptions } from '../../check/run-check.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { object, oneOf, parseOr, type Schema, string } from '../../http/schema.ts'
import { isPetKey } from '../../inventory/pet.ts'
import { PROFILE } from '../../inventory/profile.ts'
import { type Command, INTERRUPTED, type Io, UsageError } from '../command.ts'
import { loadFile, openOutput } from '../files.ts'
import type { Flags } from '../options.ts'
import { createPaint, withProgress } from '../terminal.ts'

type CheckFlags = Flags<'check'> & { readonly url?: string | undefined }

const refuse = (sentence: string): UsageError => new UsageError(sentence)

const EXIT_CODES = { kept: 0, broken: 1, inconclusive: 3 } as const

export const check: Command<CheckFlags> = {
  summary: 'check the mock, or a running service, against the specification with Prism',
  usage: '[url]',
  positionals: { url: { type: 'string', describe: 'a running service; the mock itself by default' } },
  examples: [
    ['check', 'check the mock itself'],
    ['check http://127.0.0.1:4100/v1 --api-key demo-key', 'check a running service without changing anything'],
    ['check http://127.0.0.1:4100/v1 --write --pet 7', 'also check updates, of pet 7 alone'],
    ['check http://127.0.0.1:4100/v1 --write --write-profile p.json', 'how it decides what is open'],
    ['check --reporter pretty --reporter junit=report.xml', 'a report for people, and one for CI'],
  ],
  async run(flags, io) {
    assertCompatible(flags)
    return flags.restore === undefined ? printReports(flags, io) : restoreStock(flags.restore, { flags, io })
  },
}

function assertCompatible(flags: CheckFlags): void {
  const { url, write, pet = [], profile, writeProfile, force, restore, reporter, header } = flags
  const needsUrl = { write, pet: pet[0], profile, 'write-profile': writeProfile }
  const [flag] = Object.entries(needsUrl).find(([, value]) => value !== undefined && value !== false) ?? []
  if (url === undefined && flag !== undefined) throw refuse(`--${flag} needs the URL of a running service.`)
  if (writeProfile !== undefined && force && !write)
    throw refuse('--force needs --write: without updates, the check learns too little to replace a profile.')
  if (restore !== undefined && write) throw refuse('--restore and --write cannot be combined.')
  if (pet.length > 0 && !write) throw refuse('--pet needs --write.')
  const wrong = pet.find((id) => !isPetKey(id))
  if (wrong !== undefined) throw refuse(`--pet must be an int64, got ${JSON.stringify(wrong)}.`)
  parseReporters(reporter)
  parseHeaders(header)
}

async function printReports(flags: CheckFlags, io: Io): Promise<number> {
  const { url, apiKey, write, pet: petIds, writeProfile, force, only } = flags
  // First, so that no older report is left if the run fails.
  const reports = await openReports(flags, io)
  const profile = flags.profile === undefined ? undefined : await loadFile('--profile', flags.profile, PROFILE)
  const profileFile = { output: writeProfile, force, flag: '--write-profile' }
  const writeFile = writeProfile === undefined ? undefined : await openOutput(profileFile, io)
  const originalsFile = join(tmpdir(), `petstore-mock-stock-${process.pid}-${Date.now()}.json`)
  const { runCheck } = await import('../../check/run-check.ts')
  // The mock that the service is compared with stays sound in a run of mutate.
  delete process.env['PETSTORE_MOCK_MUTANT']
  const run = await watchCheck({ flags, io, originalsFile }, (hooks) =>
    runCheck({
      ...(url === undefined ? {} : { url, write, petIds, originalsFile }),
      apiKey,
      profile,
      findProfile: writeProfile !== undefined,
      only,
      headers: parseHeaders(flags.header),
      limitMs: flags.timeout,
      ...hooks,
    }),
  )
  if (run === undefined) return INTERRUPTED
  const { report, found } = run
  for (const { reporter, print } of reports) {
    const printed = found === undefined ? report : { ...report, points: found.points }
    await print(formatReport(printed, { reporter, paint: createPaint(io, 'out') }))
  }
  // Beside another report, they would spoil it.
  const isPretty = reports.some(({ reporter, isFile }) => reporter === 'pretty' && !isFile)
  const points = found === undefined || !isPretty ? '' : formatPoints(found.points, writeProfile !== undefined)
  if (points !== '') io.out(points)
  const today = new Date().toISOString().slice(0, 10)
  const description = `${hideInAddress(report.url ?? '')}, seen on ${today}`
  // Last, so that the points are printed even if the file can no longer be written.
  if (found !== undefined) await writeFile?.(JSON.stringify({ description, ...found.profile }, null, 2))
  return EXIT_CODES[report.verdict]
}

interface ReportFlags {
  readonly reporter: readonly string[] | string
  readonly force: boolean
}

/** Opens the files of `--reporter junit=report.xml`; the other reports go to standard output. @throws {UsageError} */
export function openReports({ reporter: flags, force }: ReportFlags, io: Io) {
  const open = parseReporters(flags).map(async ({ reporter, path: output }) => {
    return {
      reporter,
      isFile: output !== undefined,
      print: await openOutput({ output, force, flag: '--reporter', isOwn: isReport }, io),
    }
  })
  return Promise.all(open)
}

function parseReporters(flags: readonly string[] | string) {
  return [flags].flat().map((flag) => {
    const [name, ...rest] = flag.split('=')
    const reporter = parseOr(oneOf(REPORTERS), name, { subject: '--reporter', refuse })
    return { reporter, path: rest.length === 0 ? undefined : rest.join('=') }
  })
}

const OWN_HEADERS = /^(?:authorization|content-.*|host|connection|transfer-encoding)$/i

function parseHeaders(flags: readonly string[] = []): Readonly<Record<string, string>> {
  const headers = new Headers()
  for (const flag of flags) {
    if (!/^[\w-]+:[\t\x20-\xff]*$/.test(flag)) throw refuse("--header must be a name and a value, as in 'X-Tenant: 7'.")
    const [name = ''] = flag.split(':', 1)
    if (OWN_HEADERS.test(name)) throw refuse(`--header cannot set ${name}, because check sends its own.`)
    headers.append(name, flag.slice(name.length + 1).trim())
  }
  return Object.fromEntries(headers)
}

/**
 * Runs a check, reports its progress, and keeps the program alive until the stock is restored.
 * @returns `undefined` if a signal stopped it.
 */
async function watchCheck(
  { flags: { url, quiet }, io, originalsFile }: { flags: CheckFlags; io: Io; originalsFile: string },
  start: (hooks: Pick<RunCheckOptions, 'signal' | 'onCase' | 'onRestoring' | 'onRestored'>) => Promise<CheckRun>,
): Promise<CheckRun | undefined> {
  const shown = { err: io.err, isTerminal: { ...io.isTerminal, err: io.isTerminal.err && !quiet } }
  const work = (tell: (line: string) => void): Promise<CheckRun> => {
    const run = start({
      signal: io.stop,
      onCase: ({ title, done, count }) => tell(`${done} of ${count} cases: ${title}`),
      onRestoring(longestMs) {
        const end = io.stop.aborted ? '' : 'The time limit is reached. '
        // At a terminal in place of the progress, and only if it takes a second.
        const print = shown.isTerminal.err ? tell : io.err
        print(`${end}Restoring the stock, which takes ${Math.ceil(longestMs / 1000)} s at most…`)
      },
      onRestored(restored) {
        if (isAsBefore(restored)) rmSync(originalsFile, { force: true })
        if (isAsBefore(restored) && !io.stop.aborted) return
        for (const each of explainRestored(restored, originalsFile)) io.err(each)
      },
    })
    // A second signal waits until the stock is restored.
    io.hold(
      run.catch(() => {}),
      'the stock of the service was not restored.',
    )
    return run
  }
  try {
    return await withProgress(`Checking ${url === undefined ? 'the mock' : hideInAddress(url)}…`, { io: shown, work })
  } catch (error) {
    if (io.stop.aborted) return undefined
    throw error
  }
}

const ORIGINALS: Schema<Originals> = object<Originals>({
  url: string,
  inventory: v.array(object<Originals['inventory'][number]>({ petId: string, quantity: string, status: v.unknown() })),
  absent: v.array(string),
})

async function restoreStock(path: string, { flags, io }: { flags: CheckFlags; io: Io }): Promise<number> {
  const originals = await loadFile('--restore', path, ORIGINALS)
  const { url = originals.url, apiKey, header } = flags
  const restored = await restoreOriginals({ ...originals, url }, { apiKey, headers: parseHeaders(header) })
  for (const line of explainRestored(restored, path)) io.err(line)
  if (!isAsBefore(restored)) return restored.isUnreachable ? EXIT_CODES.inconclusive : EXIT_CODES.broken
  rmSync(path)
  return 0
}
