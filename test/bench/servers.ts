import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../machine.ts'
import type { Build } from './builds.ts'
import type { Processes, StartedProcess } from './processes.ts'
import type { Tools } from './tools.ts'
import { GET_LIST, PATCH_ONE, send, type WireRequest, type WireResponse } from './wire.ts'

const POLL_MS = 2
const PATIENCE_MS = 60_000

/** How a server is started on a port. */
export interface ServerProgram {
  readonly script: string
  toArgs(port: number): readonly string[]
  /** What is sent until it gets a 200. @default the list */
  readonly probe?: WireRequest
}

/** A server that responds. */
export interface StartedServer extends AsyncDisposable {
  /** The address with the base path. */
  readonly base: string
  readonly pid: number
  /** From the start of the process to the end of the first response, in milliseconds. */
  readonly readyAfter: number
  readonly first: WireResponse
}

/** Starts a server in a process of its own, and waits for its first response. */
export async function startServer(processes: Processes, program: ServerProgram): Promise<StartedServer> {
  const port = await findFreePort()
  const base = `http://127.0.0.1:${port}/v1`
  const begin = performance.now()
  const started = processes.start(program.script, program.toArgs(port))
  try {
    const first = await poll(base, started, program.probe ?? GET_LIST)
    const readyAfter = performance.now() - begin
    return { base, pid: started.pid, readyAfter, first, [Symbol.asyncDispose]: () => started[Symbol.asyncDispose]() }
  } catch (error) {
    await started[Symbol.asyncDispose]()
    throw error
  }
}

async function poll(base: string, { child, complaint }: StartedProcess, request: WireRequest): Promise<WireResponse> {
  const deadline = performance.now() + PATIENCE_MS
  while (performance.now() < deadline && child.exitCode === null) {
    const response = await send(base, request).catch(() => undefined)
    if (response?.status === 200) return response
    await sleep(POLL_MS)
  }
  throw new Error(`Failed to start a server: no response with status 200 came. ${complaint()}`)
}

/** The program of a build as a user starts it. It does not log each request, because a bare server does not either. */
export function ourProgram({ bin }: Build, flags: readonly string[] = [], probe = GET_LIST): ServerProgram {
  return {
    script: bin,
    toArgs: (port) => ['serve', '--port', String(port), '--log', 'silent', ...flags],
    probe,
  }
}

/** A bare server that sends what the mock sends, asked with these flags for the list and for an update. */
export async function bareProgram(
  { processes, folder }: Tools,
  { build, flags }: { build: Build; flags?: readonly string[] },
): Promise<ServerProgram> {
  await using ours = await startServer(processes, ourProgram(build, flags))
  const { body: item } = await send(ours.base, PATCH_ONE)
  const files = [join(folder, `list-${ours.pid}.json`), join(folder, `item-${ours.pid}.json`)] as const
  writeFileSync(files[0], ours.first.body)
  writeFileSync(files[1], item)
  const script = await processes.compile('bare')
  return { script, toArgs: (port) => [String(port), ...files] }
}
