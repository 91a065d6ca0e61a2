import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'

export interface Program {
  readonly child: ChildProcess
  /** Resolves with the first match in what the program prints. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>
  end(): Promise<void>
}

export interface ProgramSetup {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** The time limit for a program to start or stop, in milliseconds; generous for busy machines. */
const PATIENCE_MS = 30_000

export function startProgram(file: string, { args, env = {} }: ProgramSetup): Program {
  // A separate process group, so that its children can be killed with it.
  const child = spawn(file, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', ...env },
  })
  let printed = ''
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', (error) => {
      printed += error.message
      resolve()
    })
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed = (printed + text).slice(-100_000)))
  }
  const kill = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, signal)
    } catch {
      // It has ended by itself.
    }
  }
  const killNow = (): void => kill('SIGKILL')
  process.once('exit', killNow)
  return {
    child,
    waitForOutput(pattern) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(printed)
          if (found !== null) settle(() => resolve(found))
        }
        const fail = (): void => settle(() => reject(new Error(`${file} did not start. It printed: ${printed}`)))
        const timer = globalThis.setTimeout(fail, PATIENCE_MS)
        const settle = (then: () => void): void => {
          clearTimeout(timer)
          child.stdout.off('data', look)
          child.stderr.off('data', look)
          then()
        }
        child.stdout.on('data', look)
        child.stderr.on('data', look)
        exited.then(fail)
        look()
      })
    },
    async end() {
      kill('SIGTERM')
      const patience = new AbortController()
      await Promise.race([exited, setTimeout(5000, undefined, { signal: patience.signal }).catch(() => {})])
      patience.abort()
      // Even if the program has exited, its children may still run.
      killNow()
      await exited
      process.off('exit', killNow)
    },
  }
}
