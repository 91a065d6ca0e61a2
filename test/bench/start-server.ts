import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort, type Processes, type StartedProcess } from './processes.ts'
import { BASE_PATH, GET_LIST, send, type WireAnswer, type WireRequest } from './wire.ts'

const POLL_MS = 2
const PATIENCE_MS = 60_000

/** How a server is started on a port. */
export interface ServerProgram {
  readonly script: string
  toArgs(port: number): readonly string[]
  /** @default '/v1' */
  readonly base?: string
  /** What it is asked until it answers. @default the list */
  readonly probe?: WireRequest
}

/** A server that answers. */
export interface StartedServer extends AsyncDisposable {
  /** The address with the base path. */
  readonly base: string
  readonly pid: number
  /** From the start of the process to the end of the first answer, in milliseconds. */
  readonly readyAfter: number
  readonly firstAnswer: WireAnswer
}

/** Starts a server in a process of its own; resolves with its first answer. */
export async function startServer(processes: Processes, program: ServerProgram): Promise<StartedServer> {
  const port = await findFreePort()
  const base = `http://127.0.0.1:${port}${program.base ?? BASE_PATH}`
  const begin = performance.now()
  const started = processes.start(program.script, program.toArgs(port))
  try {
    const firstAnswer = await poll(base, started, program.probe ?? GET_LIST)
    const readyAfter = performance.now() - begin
    const { pid, stop } = started
    return { base, pid, readyAfter, firstAnswer, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await started.stop()
    throw error
  }
}

async function poll(base: string, { child, complaint }: StartedProcess, request: WireRequest): Promise<WireAnswer> {
  const deadline = performance.now() + PATIENCE_MS
  while (performance.now() < deadline && child.exitCode === null) {
    const answer = await send(base, request).catch(() => undefined)
    if (answer?.status === 200) return answer
    await sleep(POLL_MS)
  }
  throw new Error(`Failed to start a server: no answer with status 200 came. ${complaint()}`)
}
