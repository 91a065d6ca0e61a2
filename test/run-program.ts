import { execFile } from 'node:child_process'
import { resolve } from 'node:path'

/** How a program ended, and what it wrote. */
export interface ProgramOutcome {
  /** `null` where a signal ended it, as one does after `timeout`. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** In milliseconds; the program is ended then. */
  readonly timeout: number
}

const ROOT = resolve(import.meta.dirname, '..')

/** Runs a program of this project's packages, named by its script below `node_modules`, from the root. */
export function runProgram(script: string, args: readonly string[], options: RunOptions): Promise<ProgramOutcome> {
  const { timeout, env } = options
  const settings = { cwd: ROOT, timeout, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((settle) => {
    const program = execFile(
      process.execPath,
      [`node_modules/${script}`, ...args],
      settings,
      (_error, stdout, stderr) => settle({ exitCode: program.exitCode, stdout, stderr }),
    )
  })
}
