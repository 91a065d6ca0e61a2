import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from './find-free-port.ts'
import type { Processes, StartedProcess } from './processes.ts'
import { send, type WireAnswer } from './send.ts'
import { BASE_PATH, GET_LIST, type WireRequest } from './wire.ts'

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
  /** A script that is loaded before its own, and talks over a channel. */
  readonly watch?: string
}

/** A server that answers. */
export interface StartedServer extends AsyncDisposable {
  /** The address with the base path. */
  readonly base: string
  readonly pid: number
  readonly child: ChildProcess
  /** From the start of the process to the end of the first answer, in milliseconds. */
  readonly readyAfter: number
  readonly firstAnswer: WireAnswer
}

/** Starts a server in a process of its own; resolves with its first answer. */
export async function startServer(processes: Processes, program: ServerProgram): Promise<StartedServer> {
  const port = await findFreePort()
  const base = `http://127.0.0.1:${port}${program.base ?? BASE_PATH}`
  const begin = performance.now()
  const started = start(processes, program, port)
  try {
    const firstAnswer = await poll(base, started, program.probe ?? GET_LIST)
    const readyAfter = performance.now() - begin
    const { pid, child, stop } = started
    return { base, pid, child, readyAfter, firstAnswer, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await started.stop()
    throw error
  }
}

function start(processes: Processes, { script, toArgs, watch }: ServerProgram, port: number): StartedProcess {
  if (watch === undefined) return processes.start(script, toArgs(port))
  return processes.fork(script, toArgs(port), ['--expose-gc', '--import', watch])
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
