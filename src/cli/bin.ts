#!/usr/bin/env node
import module from 'node:module'
import { explainOldNode } from '../http/explain-old-node.ts'
import { INTERRUPTED, type Io, openInBrowser } from './command.ts'

// Checked before anything else is loaded: an old Node would fail on newer syntax with a misleading error.
const problem = explainOldNode(process.versions.node)
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}
// Caches compiled code for a faster next start (https://nodejs.org/api/module.html#module-compile-cache).
// Deno has none.
module.enableCompileCache?.()
const { main } = await import('./main.ts')

/** How long leftover timers and connections may keep the process alive, in milliseconds. */
const LEFTOVERS_MS = 200

const signals = listenToSignals()
const [out, err] = [process.stdout, process.stderr].map((stream) => {
  stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    // A closed pipe, for example to `head`, must not end the program.
    if (code !== 'ENOSPC' || signals.stop.aborted) return
    err?.('petstore-mock: the output cannot be written (no space left on the disk).')
    process.once('exit', () => {
      process.exitCode ||= 1
    })
  })
  return (line: string): void => void stream.write(`${line}\n`)
}) as [Io['out'], Io['err']]
process.exitCode = await main(process.argv.slice(2), {
  env: process.env,
  out,
  err,
  isTerminal: { out: process.stdout.isTTY, err: process.stderr.isTTY },
  open: openInBrowser,
  ...signals,
  catchErrors: (report) => void process.on('uncaughtException', report),
})
const ranHandlers = process.listenerCount('uncaughtException') > 0
// User handlers may have left timers and connections that would keep a stopped program alive.
if (signals.stop.aborted || ranHandlers) setTimeout(() => process.exit(), LEFTOVERS_MS).unref()

/**
 * Listens to the signals that stop a program. The first starts a graceful shutdown, the second waits only for held work,
 * and the third exits at once.
 */
function listenToSignals(): Pick<Io, 'stop' | 'hold' | 'takeSignals'> {
  const stop = new AbortController()
  let held: Promise<unknown> = Promise.resolve()
  const unfinished = new Set<string>()
  let count = 0
  const end = (): void => {
    count += 1
    if (count === 1) stop.abort()
    if (count === 2) void held.finally(() => process.exit(INTERRUPTED))
    if (count <= 2) return
    for (const loss of unfinished) process.stderr.write(`petstore-mock: ${loss}\n`)
    process.exit(INTERRUPTED)
  }
  let listener: (signal: NodeJS.Signals) => void = end
  // Windows sends SIGHUP when the console window closes, and kills the process ten seconds later.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => listener(signal))
  return {
    stop: stop.signal,
    hold(work, loss) {
      unfinished.add(loss)
      held = Promise.allSettled([held, work.finally(() => unfinished.delete(loss))])
    },
    takeSignals(next) {
      listener = next
      return () => {
        listener = end
      }
    },
  }
}
