import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { formatReport } from '../../check/reporters.ts'
import type { TestRun } from '../../mutants/run-mutants.ts'
import { type Command, INTERRUPTED, type Io, UsageError } from '../command.ts'
import { attempt, readBytes } from '../files.ts'
import type { Flags } from '../options.ts'
import { readFailedTests } from '../read-junit.ts'
import { signalTree } from '../signal-tree.ts'
import { openReports } from './check.ts'

const UNSTABLE = 3

export const mutate: Command<Flags<'mutate'> & { '--'?: readonly string[] }> = {
  summary: 'run your tests against mutants of the mock and say what they do not notice: mutate -- npm test',
  examples: [
    ['mutate -- npm test', 'exit code 1 for findings, 2 if the tests fail on the sound mock, 3 if they fail by chance'],
    ['mutate -- pytest --junitxml={junit}', 'names the tests that noticed; {junit} is a file of the run'],
    ['mutate --jobs 4 --timeout 60s -- npx vitest run', 'a run may take five times the first by default'],
  ],
  hasRest: true,
  async run({ '--': line = [], only = '', profilePoints, list, accept, reporter, timeout, quiet, ...flags }, io) {
    const { MUTANTS, PROFILE_MUTANTS } = await import('../../mutants/mutants.ts')
    const mutants = (profilePoints ? PROFILE_MUTANTS : MUTANTS).filter(({ name }) => name.includes(only))
    if (mutants.length === 0) throw new UsageError(`No mutant has ${only} in its name. See mutate --list`)
    for (const { name, text } of list ? mutants : []) io.out(`${name}: ${text}.`)
    if (list) return 0
    if (line.length === 0) throw new UsageError('mutate needs a command after --: petstore-mock mutate -- npm test')
    const { allowUnreached, jobs, force } = flags
    const reports = await openReports({ reporter, force }, io)
    const { runMutants } = await import('../../mutants/run-mutants.ts')
    const report = await runMutants({
      mutants,
      accepted: accept === undefined ? [] : await readNames(accept),
      allowUnreached,
      jobs,
      limitMs: timeout,
      run: (mutant, limitMs) => runTests(line, { mutant, limitMs, io }),
      tell: (sentence) => quiet || io.stop.aborted || io.err(sentence),
      show: (output) => io.stop.aborted || output === '' || io.err(output.trimEnd()),
    })
    if (io.stop.aborted) return INTERRUPTED
    if (typeof report === 'string') throw new UsageError(report)
    for (const { reporter: name, print } of reports) await print(formatReport(report, { reporter: name }))
    if (report.mutants.some(({ verdict }) => verdict === 'unstable')) return UNSTABLE
    return Number(report.mutants.some(({ isFinding }) => isFinding))
  },
}

/** Reads names of mutants, one in each line; a comment begins with `#`. */
async function readNames(path: string): Promise<string[]> {
  const { findMutant } = await import('../../mutants/mutants.ts')
  const lines = String(await readBytes(path, `--accept: ${path}`)).split('\n')
  const names = lines.map((line) => line.replace(/(?<!\S)#.*/, '').trim()).filter((name) => name !== '')
  return names.map((name) => findMutant(name).name)
}

/** Runs the command with `exec`, so that it has a new server and state. The mocks in both processes are the mutant. */
async function runTests(
  line: readonly string[],
  { mutant, limitMs, io }: { mutant: string; limitMs: number | undefined; io: Io },
): Promise<TestRun> {
  if (io.stop.aborted) return { code: undefined, notes: new Set(), failed: new Set(), durationMs: 0, output: '' }
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-'))
  const [notes, junit] = [join(folder, 'notes'), join(folder, 'junit.xml')]
  mkdirSync(notes)
  const limit = AbortSignal.any([io.stop, ...(limitMs === undefined ? [] : [AbortSignal.timeout(limitMs)])])
  const command = line.map((word) => word.replaceAll('{junit}', () => junit))
  const start = performance.now()
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'exec', '--quiet', '--port=0', '--', ...command], {
    env: { ...io.env, PETSTORE_MOCK_MUTANT: mutant, PETSTORE_MOCK_MUTANT_NOTES: notes },
    // A process group, so that all processes of the command can be killed.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-1_000_000)
    })
  const closed = new Promise((resolve) => child.once('close', resolve))
  let timer: NodeJS.Timeout | undefined
  const end = (): void => {
    // exec passes the signal on to all that the command has started. Windows has none that could be passed on.
    if (process.platform === 'win32') killGroup(child)
    else child.kill('SIGTERM')
    timer = setTimeout(killGroup, 2000, child)
  }
  const clear = (): void => {
    clearTimeout(timer)
    limit.removeEventListener('abort', end)
    process.off('exit', clear)
    killGroup(child)
    rmSync(folder, { recursive: true, force: true })
  }
  // A second signal ends this process at once.
  process.once('exit', clear)
  limit.addEventListener('abort', end)
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    const durationMs = Math.round(performance.now() - start)
    const ended = {
      code: limit.aborted ? undefined : (code ?? 1),
      notes: new Set(readdirSync(notes)),
      failed: readFailedTests(attempt(() => readFileSync(junit, 'utf8')) ?? ''),
      durationMs,
    }
    clear()
    // A process that left the group may hold the pipes.
    await Promise.race([closed, sleep(2000, undefined, { ref: false })])
    return { ...ended, output: stripVTControlCharacters(output) }
  } finally {
    clear()
    for (const stream of [child.stdout, child.stderr]) stream.destroy()
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  if (process.platform === 'win32') signalTree(pid, 'SIGKILL')
  // Throws if they have all ended.
  else attempt(() => process.kill(-pid, 'SIGKILL'))
}
