import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

/** The file of a script that runs in a process of its own. */
export function toScript(name: string): string {
  return fileURLToPath(new URL(`scripts/${name}.ts`, import.meta.url))
}

const PATIENCE_MS = 5000

/** A process that was started. */
export interface StartedProcess extends AsyncDisposable {
  readonly child: ChildProcess
  readonly pid: number
  /** The end of what it wrote to stderr. */
  complaint(): string
}

/** The processes of one run. */
export interface Processes {
  /** Compiles a script, so that its process does not pay for the removal of its types. @returns The file. */
  compile(name: string): Promise<string>
  /** Starts a program of Node's. */
  start(script: string, args: readonly string[]): StartedProcess
  /** Starts a program of Node's that talks over a channel. @param env Added to the environment. */
  fork(script: string, args: readonly string[], env: Readonly<Record<string, string>>): StartedProcess
  /** Runs a program to its end. @returns What it wrote. */
  run(command: string, args: readonly string[]): Promise<string>
  killAll(): void
}

/** @param folder Of compiled scripts. */
export function createProcesses(folder: string): Processes {
  const running = new Set<ChildProcess>()
  const track = (child: ChildProcess): StartedProcess => {
    running.add(child)
    child.once('exit', () => running.delete(child))
    return toStarted(child)
  }
  return {
    async compile(name) {
      const file = join(folder, `${name}.mjs`)
      if (existsSync(file)) return file
      const output = { file, codeSplitting: false }
      await build({ input: toScript(name), external: /^(node:|vitest)/, platform: 'node', logLevel: 'silent', output })
      return file
    },
    start: (script, args) => track(spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })),
    fork: (script, args, env) =>
      track(fork(script, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: { ...process.env, ...env } })),
    async run(command, args) {
      const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
      const { complaint } = track(child)
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
      const [code] = await once(child, 'close')
      if (code === 0) return output
      throw new Error(`Failed to run ${args[0] ?? command}: it ended with code ${code}. ${complaint()}`)
    },
    killAll() {
      for (const child of running) child.kill('SIGKILL')
    },
  }
}

function toStarted(child: ChildProcess): StartedProcess {
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2000)
  })
  return {
    child,
    pid: child.pid ?? 0,
    complaint: () => complaint,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
      await ended
      clearTimeout(timer)
    },
  }
}

const KB_PER_MB = 1024

/** The resident memory of a process, in MB. */
export async function readMemory(processes: Processes, pid: number): Promise<number> {
  if (platform() !== 'linux') return Number(await processes.run('ps', ['-o', 'rss=', '-p', `${pid}`])) / KB_PER_MB
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1]) / KB_PER_MB
}
