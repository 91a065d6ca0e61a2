import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatReport } from '../../mutants/format-report.ts'
import type { TestRun } from '../../mutants/run-mutants.ts'
import { type Command, INTERRUPTED, type Io, UsageError } from '../command.ts'
import { readContent } from '../data-file.ts'
import { readBytes } from '../files.ts'
import type { Flags } from '../options.ts'
import { openReports } from './check.ts'

/** `petstore-mock mutate`: runs a command once with each mutant of the mock. */
export const mutate: Command<Flags<'mutate'> & { '--'?: readonly string[] }> = {
  summary: 'run your tests against mutants of the mock and say what they do not notice: mutate -- npm test',
  examples: [
    ['mutate -- npm test', 'tests with a mock in their process, or with PETSTORE_MOCK_URL'],
    ['mutate --jobs 4 --reporter pretty --reporter junit=report.xml -- npx vitest run', 'four runs at once'],
  ],
  hasRest: true,
  async run({ '--': line = [], only = '', openapi, profilePoints, list, accept, reporter, jobs, timeout, quiet }, io) {
    const { findContractChanges, listProfilePoints, MUTANTS, runMutants } = await import('../../mutants/run-mutants.ts')
    const changes = openapi === undefined ? undefined : findContractChanges(await readContent(openapi, '--openapi'))
    const selected = profilePoints ? listProfilePoints() : (changes?.mutants ?? MUTANTS)
    const mutants = selected.filter(({ name }) => name.includes(only))
    for (const change of changes?.others ?? []) io.err(change)
    if (changes !== undefined && [...changes.mutants, ...changes.others].length === 0) {
      io.err(`${openapi} has the same contract.`)
      return 0
    }
    if (mutants.length === 0) throw new UsageError('No mutant is left by --only and --openapi.')
    for (const { name, text } of list ? mutants : []) io.out(`${name}: ${text}.`)
    if (list) return 0
    if (line.length === 0) throw new UsageError('mutate needs a command after --: petstore-mock mutate -- npm test')
    const known = accept === undefined ? '' : String(await readBytes(accept, `--accept: ${accept}`))
    const reports = await openReports(reporter, io)
    const report = await runMutants({
      mutants,
      accepted: known.split(/\r?\n/),
      jobs,
      limitMs: timeout,
      run: (mutant, limitMs) => runTests(line, { mutant, limitMs, io }),
      signal: io.stop,
      tell: (sentence) => io.isTerminal.err && !quiet && io.err(sentence),
    })
    if (io.stop.aborted) return INTERRUPTED
    if (typeof report === 'string') throw new UsageError(report)
    for (const { reporter: format, print } of reports) await print(formatReport(report, format))
    return report.mutants.some(({ isFinding }) => isFinding) ? 1 : 0
  },
}

/** Runs the command with `exec`, so that it has a server of its own. The mocks in both processes are the mutant. */
async function runTests(
  line: readonly string[],
  { mutant, limitMs, io }: { mutant: string; limitMs: number | undefined; io: Io },
): Promise<TestRun> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  const limit = AbortSignal.any([io.stop, ...(limitMs === undefined ? [] : [AbortSignal.timeout(limitMs)])])
  const start = performance.now()
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'exec', '--quiet', '--', ...line], {
    env: { ...io.env, PETSTORE_MOCK_MUTANT: mutant, PETSTORE_MOCK_MUTANT_NOTES: folder },
    // A process group, so that all processes of the command can be ended.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-1_000_000)
    })
  limit.addEventListener('abort', () => endGroup(child), { once: true })
  if (limit.aborted) endGroup(child)
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    const durationMs = Math.round(performance.now() - start)
    const notes = new Set(await readdir(folder))
    return { code: limit.aborted ? undefined : (code ?? 1), notes, output, durationMs }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): void {
  const { pid = 0 } = child
  if (process.platform === 'win32') return void spawn('taskkill', ['/pid', String(pid), '/t', '/f'])
  try {
    process.kill(-pid, signal)
    if (signal === 'SIGTERM') setTimeout(() => endGroup(child, 'SIGKILL'), 2000).unref()
  } catch {
    // They have all ended.
  }
}
