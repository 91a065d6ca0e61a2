#!/usr/bin/env node
import module from 'node:module'
import { explainOldNode } from './explain-old-node.ts'

// Asked before anything else is loaded: an old Node would stop at what it does not know, and not say why.
const problem = explainOldNode(process.versions.node)
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}
// Compiled code is kept for the next start (https://nodejs.org/api/module.html#module-compile-cache).
module.enableCompileCache()
const { main } = await import('./main.ts')

const controller = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The first asks for an orderly end, the second does not wait for it.
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
  })
}

process.exitCode = await main(process.argv.slice(2), {
  env: process.env,
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  open: async (url) => (await import('./open-in-browser.ts')).openInBrowser(url),
  stop: controller.signal,
})
