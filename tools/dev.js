// @ts-check
// `npm run dev`: `npm start`, started again after each change of a source. Not `node --watch`, which misses files that an
// editor replaces (https://github.com/nodejs/node/issues/51621).
import './check-setup.js'
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'

const args = [fileURLToPath(new URL('start.js', import.meta.url)), 'serve', ...process.argv.slice(2)]
let server = start()
/** @type {NodeJS.Timeout | undefined} */
let timer

for (const folder of ['../src', '../fixtures'])
  watch(new URL(folder, import.meta.url), { recursive: true }, () => {
    clearTimeout(timer)
    // A save is several events.
    timer = setTimeout(restart, 100)
  })
process.on('exit', () => server.kill())

function start() {
  return spawn(process.execPath, args, { stdio: 'inherit' })
}

function restart() {
  console.error('A source has changed. Starting again…')
  const old = server
  const next = () => {
    server = start()
  }
  if (old.exitCode !== null) return next()
  old.once('exit', next)
  old.kill()
}
