import { execFile } from 'node:child_process'

export interface CommandOutcome {
  readonly isDone: boolean
  readonly stdout: string
  /** All that was written. */
  readonly output: string
}

/** In milliseconds: ends what hangs. */
const LIMIT_MS = 300_000

/** npm sets NODE_ENV for scripts where .npmrc omits dev packages; a user's shell has none. */
export function runCommand(
  [program = '', ...args]: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<CommandOutcome> {
  const options = {
    cwd,
    env: { ...process.env, NODE_ENV: undefined, ...env },
    timeout: LIMIT_MS,
    maxBuffer: 64 * 1024 ** 2,
    shell: process.platform === 'win32',
  }
  return new Promise((settle) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}${error !== null && stderr === '' ? error.message : ''}`
      settle({ isDone: error === null, stdout, output })
    })
  })
}
