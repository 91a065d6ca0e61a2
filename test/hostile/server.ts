import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { SECRET } from './requests/bad-values.ts'

/** The program from source, or another build of it. */
const BIN = process.env['HOSTILE_BIN'] ?? fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url))
const COLLECT = new URL('collect-garbage.ts', import.meta.url).href

/** How the server under test ended. */
interface ServerEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** From the signal to the end, in milliseconds. */
  readonly after: number
}

/** After a collection of garbage, in MB. */
export interface Memory {
  /** What the process has of the machine; what was once needed is not always given back. */
  readonly resident: number
  /** What is in use. */
  readonly used: number
}

/** The server under test, in a process of its own. */
export interface HostileServer extends AsyncDisposable {
  readonly port: number
  readonly pid: number
  /** What it wrote to stderr. */
  readonly stderr: readonly string[]
  /** Lines of its log that are not JSON, or repeat a credential. */
  readonly badLogLines: readonly string[]
  /** Whether the process is still running. */
  isRunning(): boolean
  readMemory(): Promise<Memory>
  /** Sends a signal and waits for the end; a server that does not end in 20 s is killed. */
  stop(signal?: NodeJS.Signals): Promise<ServerEnd>
}

const MB = 1024 ** 2
const PATIENCE_MS = 20_000

/** Starts the program from source, as a user starts it, on a free port. */
export async function startServer(...flags: readonly string[]): Promise<HostileServer> {
  const args = ['serve', '--port', '0', '--log', 'json', ...flags]
  const child = fork(BIN, args, {
    execArgv: ['--expose-gc', '--import', COLLECT],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const stderr: string[] = []
  const badLogLines: string[] = []
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => stderr.push(line))
  const { promise: listening, resolve, reject } = Promise.withResolvers<number>()
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const record = parseLine(line)
    if (record === undefined || line.includes(SECRET)) badLogLines.push(line)
    if (record?.event === 'listening') resolve(record.port ?? 0)
  })
  child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${stderr.join('\n')}`)))
  const port = await listening
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => end(child, signal)
  return {
    port,
    pid: child.pid ?? 0,
    stderr,
    badLogLines,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async readMemory() {
      const answer = once(child, 'message')
      child.send('collect')
      const [{ heapUsed, external }] = (await answer) as [NodeJS.MemoryUsage]
      return { resident: readResident(child.pid ?? 0), used: (heapUsed + external) / MB }
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL')
    },
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<ServerEnd> {
  const begin = performance.now()
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit')
    child.kill(signal)
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    await exit
    clearTimeout(timer)
  }
  return { code: child.exitCode, signal: child.signalCode, after: performance.now() - begin }
}

function parseLine(line: string): { event?: string; port?: number } | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function readResident(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
