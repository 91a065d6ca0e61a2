#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Compiled code is kept for the next start (https://nodejs.org/api/module.html#module-compile-cache).
enableCompileCache()
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
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  open: async (url) => (await import('./open-in-browser.ts')).openInBrowser(url),
  stop: controller.signal,
})
