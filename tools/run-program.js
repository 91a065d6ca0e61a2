// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Runs a program in place of this one: same terminal, same signals, same exit code.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export async function runProgram(command, args, options = {}) {
  const child = spawn(command, args, { stdio: 'inherit', ...options })
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) {
    // A terminal sends Ctrl-C to the child too. Forwarding it would be a second signal, which cuts a graceful shutdown short.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)))
  }
  const [code, signal] = await once(child, 'close')
  for (const each of signals) process.removeAllListeners(each)
  if (signal !== null) process.kill(process.pid, signal)
  process.exitCode = code
}
