import { execFile } from 'node:child_process'
import { resolve } from 'node:path'

/** How a program ended, and what it wrote. */
export interface ProgramOutcome {
  /** `null` where a signal ended it, as one does after `timeout`. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  /** Both. */
  readonly output: string
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv
  /** @default the root of this project */
  readonly cwd?: string
  /** In milliseconds; the program is ended then. */
  readonly timeout?: number
  readonly shell?: boolean
}

const ROOT = resolve(import.meta.dirname, '..')

/** Runs a program until it ends. */
export function runProgram(
  program: string,
  args: readonly string[],
  { timeout = 110_000, env, cwd = ROOT, shell = false }: RunOptions = {},
): Promise<ProgramOutcome> {
  const settings = { cwd, timeout, shell, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((settle) => {
    const child = execFile(program, args, settings, (error, stdout, stderr) =>
      settle({ exitCode: child.exitCode, stdout, stderr, output: stdout + stderr || (error?.message ?? '') }),
    )
  })
}
