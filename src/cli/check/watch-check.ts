import type { CheckProgress, RestoredStock } from '../../check/index.ts'
import type { Io } from '../io.ts'
import { withProgress } from '../terminal.ts'

/** What a run reports to the terminal, and what ends it. */
interface CheckHooks {
  readonly signal: AbortSignal
  readonly onCase: ((progress: CheckProgress) => void) | undefined
  readonly onRestored: (restored: RestoredStock) => void
}

interface WatchedCheck<Result> {
  readonly io: Io
  /** Announces a slow run. */
  readonly line: string
  /** Whether updates are sent, whose pets must be restored. */
  readonly write: boolean
  /** Whether not to print the progress. */
  readonly quiet: boolean
  readonly start: (hooks: CheckHooks) => Promise<Result>
}

/**
 * Runs a check, reports its progress, and keeps the program alive until the stock is restored.
 * @returns `undefined` if a signal stopped it.
 */
export async function watchCheck<Result>({
  io,
  line,
  write,
  quiet,
  start,
}: WatchedCheck<Result>): Promise<Result | undefined> {
  const progressIo = { err: io.err, isTerminal: { ...io.isTerminal, err: io.isTerminal.err && !quiet } }
  const progress = printProgress(progressIo)
  const run = start({
    signal: io.stop,
    onCase: progress.onCase,
    onRestored: (restored) => {
      const { problem, unconfirmed } = restored
      if (io.stop.aborted || problem !== undefined) io.err(toRestoredLine(restored))
      if (unconfirmed.length > 0) io.err(toUnconfirmedLine(unconfirmed))
    },
  })
  // A second signal waits until the stock is restored.
  const end = run.catch(() => {})
  io.hold(end)
  const announce = (): unknown => withProgress('Restoring the stock: waiting for the service…', { io, work: () => end })
  if (write) io.stop.addEventListener('abort', announce, { once: true })
  try {
    return await withProgress(line, { io: progressIo, work: () => run })
  } catch (error) {
    if (io.stop.aborted) return undefined
    throw error
  } finally {
    progress.stop()
  }
}

function toRestoredLine({ petIds, problem }: RestoredStock): string {
  const pets = toPetNames(petIds)
  return problem === undefined
    ? `The stock of ${pets} was restored.`
    : `The stock of ${pets} could not be restored: ${problem}.`
}

function toUnconfirmedLine(petIds: readonly string[]): string {
  return `An update of ${toPetNames(petIds)} got no response, and the service may still apply it: look at the stock again later.`
}

function toPetNames(petIds: readonly string[]): string {
  return `pet${petIds.length === 1 ? '' : 's'} ${petIds.join(', ')}`
}

/** How often the progress is printed, in milliseconds. */
const PROGRESS_MS = 1000

/** Prints which case runs, once a second, unless that case was printed before. */
function printProgress({
  err,
  isTerminal,
}: Pick<Io, 'err' | 'isTerminal'>): Pick<CheckHooks, 'onCase'> & { stop(): void } {
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
