import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const BIN = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url))

/** The program as a process of its own. */
export interface StartedBin extends AsyncDisposable {
  readonly child: ChildProcessByStdio<null, Readable, Readable>
  /** With the base path. */
  readonly url: string
  readonly port: number
  /** Its stderr so far. */
  err(): string
  /** The exit code, or the name of the signal that ended it. */
  readonly exit: Promise<number | string>
}

/** Starts `serve` on a free port; resolves when it is listening. */
export async function startBin(...flags: string[]): Promise<StartedBin> {
  const child = spawn(process.execPath, [BIN, 'serve', '--port', '0', '--log', 'json', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
  let [out, err] = ['', '']
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
      const [first = '', ...rest] = out.split('\n')
      if (rest.length > 0) resolve(first)
    })
    void exit.then((how) => reject(new Error(`The program ended with ${how}: ${err}`)))
  })
  const { url, port } = JSON.parse(line) as { url: string; port: number }
  return {
    child,
    url,
    port,
    err: () => err,
    exit,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exit
    },
  }
}
