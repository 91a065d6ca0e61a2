import { onTestFinished, vi } from 'vitest'
import type { Io } from '../../src/cli/command.ts'
import { main } from '../../src/cli/main.ts'

/** The output and exit code of a run. */
export interface CliRun {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** A program that nobody stops, off a terminal, with an empty environment. */
export const QUIET_IO: Io = {
  env: {},
  out: () => {},
  err: () => {},
  open: async () => {},
  stop: new AbortController().signal,
  hold: () => {},
  takeSignals: () => () => {},
  catchErrors: () => {},
  isTerminal: { out: false, err: false },
}

/** Runs the program in this process, to its end. */
export function runCli(...argv: string[]): Promise<CliRun> {
  return runCliIn({}, ...argv)
}

/** Runs the program with these variables in its environment, and no others. */
export async function runCliIn(env: Io['env'], ...argv: string[]): Promise<CliRun> {
  const { done, out, err } = startCliIn({ env }, ...argv)
  const code = await done
  return { code, out: out(), err: err() }
}

/** Starts the program in this process; `stop` is its SIGTERM. */
export function startCli(...argv: string[]) {
  return startCliIn({}, ...argv)
}

/** The same with another environment, terminal or browser. */
export function startCliIn(io: Partial<Io>, ...argv: string[]) {
  const lines: Record<'out' | 'err', string[]> = { out: [], err: [] }
  const opened: string[] = []
  const controller = new AbortController()
  const done = main(argv, {
    ...QUIET_IO,
    out: (line) => lines.out.push(line),
    err: (line) => lines.err.push(line),
    open: async (url) => void opened.push(url),
    stop: controller.signal,
    ...io,
  })
  const stop = (): Promise<number> => {
    controller.abort()
    return done
  }
  onTestFinished(async () => void (await stop()))
  return { done, stop, opened, out: () => lines.out.join('\n'), err: () => lines.err.join('\n') }
}

/** Starts `serve` on a free port; resolves with its URL when it is listening. */
export async function startServe(...flags: string[]) {
  const run = startCli('serve', '--port', '0', '--log', 'json', ...flags)
  const url = await vi.waitFor(() => {
    const [line = ''] = run.out().split('\n')
    if (line === '') throw new Error(`serve is not listening: ${run.err()}`)
    return (JSON.parse(line) as { url: string }).url
  })
  return { ...run, url, ask: createAsk(url) }
}

/** Starts `serve` with the log that people read; resolves with its URL when it is listening. */
export async function startPretty(...flags: string[]) {
  const run = startCli('--port', '0', ...flags)
  const url = await vi.waitUntil(() => /listening on (\S+).*\n {2}console/s.exec(run.out())?.[1])
  return { ...run, url, ask: createAsk(url) }
}

interface AskOptions {
  /** @default 'demo-key' */
  readonly key?: string | undefined
  readonly method?: string
  readonly body?: object
}

/** Sends a request with a key to a path below the base path, or to one of the control API. */
function createAsk(url: string) {
  return (path: string, { key = 'demo-key', method = 'GET', body }: AskOptions = {}): Promise<Response> =>
    fetch(path.startsWith('/_mock') ? new URL(path, url) : url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
}
