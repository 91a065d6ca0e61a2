import { rmSync } from 'node:fs'
import type { CheckProgress, CheckRun, RunCheckOptions } from '../../check/index.ts'
import { explainRestored } from '../../check/restored-stock.ts'
import type { Io } from '../io.ts'
import { withProgress } from '../terminal.ts'

interface WatchedCheck {
  readonly io: Io
  /** Announces a slow run. */
  readonly line: string
  /** Whether not to print the progress. */
  readonly quiet: boolean
  /** The file for the original stock, which stays if the stock could not be restored. */
  readonly originalsFile: string
  readonly start: (hooks: Pick<RunCheckOptions, 'signal' | 'onCase' | 'onRestored'>) => Promise<CheckRun>
}

/**
 * Runs a check, reports its progress, and keeps the program alive until the stock is restored.
 * @returns `undefined` if a signal stopped it.
 */
export async function watchCheck({
  io,
  line,
  quiet,
  originalsFile,
  start,
}: WatchedCheck): Promise<CheckRun | undefined> {
  const progressIo = { err: io.err, isTerminal: { ...io.isTerminal, err: io.isTerminal.err && !quiet } }
  const progress = printProgress(progressIo)
  const run = start({
    signal: io.stop,
    onCase: progress.onCase,
    onRestored: (restored) => {
      if (restored.problem === undefined) rmSync(originalsFile, { force: true })
      for (const each of explainRestored(restored, originalsFile, io.stop.aborted)) io.err(each)
    },
  })
  // A second signal waits until the stock is restored.
  const end = run.catch(() => {})
  io.hold(end)
  const announce = (): unknown => withProgress('Restoring the stock: waiting for the service…', { io, work: () => end })
  io.stop.addEventListener('abort', announce, { once: true })
  try {
    return await withProgress(line, { io: progressIo, work: () => run })
  } catch (error) {
    if (io.stop.aborted) return undefined
    throw error
  } finally {
    progress.stop()
  }
}

/** How often the progress is printed, in milliseconds. */
const PROGRESS_MS = 1000

/** Prints which case runs, once a second, unless that case was printed before. */
function printProgress({ err, isTerminal }: Pick<Io, 'err' | 'isTerminal'>): {
  onCase: ((progress: CheckProgress) => void) | undefined
  stop(): void
} {
  if (!isTerminal.err) return { onCase: undefined, stop: () => {} }
  let line = ''
  let printed = ''
  const timer = setInterval(() => {
    if (line !== printed) err(line)
    printed = line
  }, PROGRESS_MS)
  return {
    onCase: ({ title, done, count }) => {
      line = `${done} of ${count} cases: ${title}`
    },
    stop: () => clearInterval(timer),
  }
}
