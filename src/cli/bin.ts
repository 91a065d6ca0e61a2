#!/usr/bin/env node
import module from 'node:module'
import { explainOldNode } from './explain-old-node.ts'
import { listenToSignals } from './signals.ts'

// Asked before anything else is loaded: an old Node would stop at what it does not know, and not say why.
const problem = explainOldNode(process.versions.node)
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}
// Compiled code is kept for the next start (https://nodejs.org/api/module.html#module-compile-cache).
module.enableCompileCache()
const { main } = await import('./main.ts')

/** How long what is left may keep the process, in milliseconds. */
const LEFTOVERS_MS = 200

// A reader that has gone away, as `head` does, is no reason to end.
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
// Handlers of the user may have left timers and connections that would keep a stopped program.
if (stop.aborted || signals.wereTaken) setTimeout(() => process.exit(), LEFTOVERS_MS).unref()
