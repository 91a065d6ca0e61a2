import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { platform } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

/** Finds a port that nobody has, for programs that do not say which one they took. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Compiles a script, so that its process does not pay for the removal of its types; gives the file. */
export async function compileScript(script: URL, folder: string): Promise<string> {
  const file = join(folder, `${basename(fileURLToPath(script), '.ts')}.mjs`)
  const output = { file, codeSplitting: false }
  await build({
    input: fileURLToPath(script),
    external: /^(node:|vitest)/,
    platform: 'node',
    logLevel: 'silent',
    output,
  })
  return file
}

const PATIENCE_MS = 5000

/** A process that was started, with what it said about its troubles. */
export interface StartedProcess {
  readonly child: ChildProcess
  readonly pid: number
  /** The end of what it wrote to stderr. */
  complaint(): string
  /** Ends it, and waits until it has ended. */
  stop(): Promise<void>
}

interface RunOptions {
  /** Where it runs. */
  readonly folder?: string
  /** What its environment has beside ours. */
  readonly env?: Readonly<Record<string, string>>
}

/** The processes of one run. */
export interface Processes {
  /** Starts a program of Node's. */
  start(script: string, args: readonly string[]): StartedProcess
  /** Starts a program of Node's that talks over a channel. */
  fork(script: string, args: readonly string[]): StartedProcess
  /** Runs any program to its end, and gives what it wrote. */
  run(command: string, args: readonly string[], options?: RunOptions): Promise<string>
  /** Ends all that still run, at once. */
  killAll(): void
}

export function createProcesses(): Processes {
  const running = new Set<ChildProcess>()
  const track = (child: ChildProcess): StartedProcess => {
    running.add(child)
    child.once('exit', () => running.delete(child))
    return toStarted(child)
  }
  return {
    start: (script, args) => track(spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })),
    fork: (script, args) => track(fork(script, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })),
    async run(command, args, { folder, env } = {}) {
      const child = spawn(command, args, {
        cwd: folder,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const { complaint } = track(child)
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
      const [code] = await new Promise<[number | null]>((resolve, reject) => {
        child.once('error', reject).once('close', (exitCode) => resolve([exitCode]))
      })
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
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
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
  if (platform() === 'linux') return readFromProc(pid)
  return Number(await processes.run('ps', ['-o', 'rss=', '-p', String(pid)])) / KB_PER_MB
}

function readFromProc(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1]) / KB_PER_MB
}
