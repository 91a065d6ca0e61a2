// @ts-check
// `npm run dev`: `npm start`, started again after each change of a source. Not `node --watch`, which misses files that an
// editor replaces (https://github.com/nodejs/node/issues/51621).
import './check-setup.js'
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'

const args = [fileURLToPath(new URL('start.js', import.meta.url)), 'serve', ...process.argv.slice(2)]
let server = start()
let isRestarting = false
let watchers = watchSources()
/** @type {NodeJS.Timeout | undefined} */
let timer

process.on('exit', () => server.kill())
process.on('SIGTERM', () => process.exit())

function start() {
  return spawn(process.execPath, args, { stdio: 'inherit' })
}

function watchSources() {
  return ['../src', '../fixtures'].map((folder) =>
    watch(new URL(folder, import.meta.url), { recursive: true }, () => {
      clearTimeout(timer)
      // A save is several events.
      timer = setTimeout(restart, 100)
    }),
  )
}

function restart() {
  // On Linux, a recursive watch misses a file from the second time that it is replaced.
  for (const watcher of watchers) watcher.close()
  watchers = watchSources()
  // The server that starts next reads this change, too.
  if (isRestarting) return
  console.error('A source has changed. Starting again…')
  if (server.exitCode !== null || server.signalCode !== null) {
    server = start()
    return
  }
  isRestarting = true
  server.once('exit', () => {
    isRestarting = false
    server = start()
  })
  server.kill()
}
