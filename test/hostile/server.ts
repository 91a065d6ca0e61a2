import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { BIN } from '../cli/start-bin.ts'
import { SECRET } from './requests/bad-values.ts'

const COLLECT = new URL('collect-garbage.ts', import.meta.url).href

/** How the server under test ended. */
interface ServerEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** The server under test, in a process of its own. */
export interface HostileServer extends AsyncDisposable {
  readonly port: number
  /** What it wrote to stderr. */
  readonly stderr: readonly string[]
  /** Lines of its log that are not JSON, or repeat a credential. */
  readonly badLogLines: readonly string[]
  /** The memory in use after a collection of garbage, in MB. */
  readMemory(): Promise<number>
  /** Sends a signal and waits for the end; a server that does not end in 20 s is killed. */
  stop(signal: NodeJS.Signals): Promise<ServerEnd>
}

const PATIENCE_MS = 20_000

/** Starts the program on a free port, as a user starts it. */
export async function startServer(...flags: readonly string[]): Promise<HostileServer> {
  const child = fork(BIN, ['serve', '--port', '0', '--log', 'json', ...flags], {
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
  const stop = async (signal: NodeJS.Signals): Promise<ServerEnd> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit')
      child.kill(signal)
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
      await exit
      clearTimeout(timer)
    }
    return { code: child.exitCode, signal: child.signalCode }
  }
  return {
    port,
    stderr,
    badLogLines,
    async readMemory() {
      const answer = once(child, 'message')
      child.send('collect')
      const [{ heapUsed, external }] = (await answer) as [NodeJS.MemoryUsage]
      return (heapUsed + external) / 1024 ** 2
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL')
    },
  }
}

function parseLine(line: string): { event?: string; port?: number } | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
