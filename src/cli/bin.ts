#!/usr/bin/env node
import module from 'node:module'
import { explainOldNode } from '../http/explain-old-node.ts'
import { listenToSignals } from './signals.ts'

// Checked before anything else is loaded: an old Node would fail on newer syntax with a misleading error.
const problem = explainOldNode(process.versions.node)
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}
// Caches compiled code for a faster next start (https://nodejs.org/api/module.html#module-compile-cache).
module.enableCompileCache()
const { main } = await import('./main.ts')

/** How long leftover timers and connections may keep the process alive, in milliseconds. */
const LEFTOVERS_MS = 200

// A closed pipe, for example to `head`, must not end the program.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const signals = listenToSignals()
const { stop, hold, takeSignals } = signals
process.exitCode = await main(process.argv.slice(2), {
  env: process.env,
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  isTerminal: { out: process.stdout.isTTY, err: process.stderr.isTTY },
  open: async (url) => (await import('./open-in-browser.ts')).openInBrowser(url),
  stop,
  hold,
  takeSignals,
})
// User handlers may have left timers and connections that would keep a stopped program alive.
if (stop.aborted || signals.wereTaken) setTimeout(() => process.exit(), LEFTOVERS_MS).unref()
