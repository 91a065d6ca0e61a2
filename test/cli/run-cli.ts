import { expect, onTestFinished, vi } from 'vitest'
import { main } from '../../src/cli/main.ts'

/** The output and exit code of a run. */
export interface CliRun {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the program in this process, to its end. */
export async function runCli(...argv: string[]): Promise<CliRun> {
  const { done, out, err } = startCli(...argv)
  const code = await done
  return { code, out: out(), err: err() }
}

/** Runs the program with these variables in its environment, and no others. */
export async function runCliIn(env: Readonly<Record<string, string>>, ...argv: string[]): Promise<CliRun> {
  const { done, out, err } = start(argv, env)
  const code = await done
  return { code, out: out(), err: err() }
}

/** Starts the program in this process; `stop` is its SIGTERM. */
export function startCli(...argv: string[]) {
  return start(argv, {})
}

function start(argv: readonly string[], env: Readonly<Record<string, string>>) {
  const lines: Record<'out' | 'err', string[]> = { out: [], err: [] }
  const opened: string[] = []
  const controller = new AbortController()
  const done = main(argv, {
    env,
    out: (line) => lines.out.push(line),
    err: (line) => lines.err.push(line),
    open: async (url) => void opened.push(url),
    stop: controller.signal,
    hold: () => {},
    takeSignals: () => () => {},
    isTerminal: { out: false, err: false },
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
  return startServeIn({}, ...flags)
}

/** The same with these variables in its environment. */
export async function startServeIn(env: Readonly<Record<string, string>>, ...flags: string[]) {
  const run = start(['serve', '--port', '0', '--log', 'json', ...flags], env)
  void run.done.then((code) => code !== 0 && run.err())
  const url = await vi.waitFor(() => {
    const [line = ''] = run.out().split('\n')
    return (JSON.parse(line) as { url: string }).url
  })
  return { ...run, url }
}

/** Starts `serve` with the log that people read; resolves with its URL when it is listening. */
export async function startPretty(...flags: string[]) {
  const run = startCli('--port', '0', ...flags)
  await vi.waitFor(() => expect(run.out()).toMatch(/^ {2}console/m))
  return { ...run, url: /listening on (\S+)/.exec(run.out())?.[1] ?? '' }
}
