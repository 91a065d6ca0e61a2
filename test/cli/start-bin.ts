import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** The built program, as it is shipped. */
export const BIN: string = fileURLToPath(new URL('../../dist/bin.js', import.meta.url))

/** The program as a process of its own. */
export interface SpawnedBin extends AsyncDisposable {
  readonly child: ChildProcessByStdio<null, Readable, Readable>
  /** Its stdout so far. */
  out(): string
  /** Its stderr so far. */
  err(): string
  /** The exit code, or the name of the signal that ended it, when both streams have ended or were closed. */
  readonly exit: Promise<number | string>
}

interface BinOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Whether it leads a process group, to which a signal can be sent. */
  readonly isGroup?: boolean
}

/** Starts the program. It is killed when it goes out of scope. */
export function spawnBin(argv: readonly string[], { env, isGroup = false }: BinOptions = {}): SpawnedBin {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  const options = { stdio, env: { ...process.env, ...env }, detached: isGroup }
  const child = spawn(process.execPath, [BIN, ...argv], options)
  const exit = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  return {
    child,
    out: () => out,
    err: () => err,
    exit,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exit
    },
  }
}

/** The program as a server. */
export interface StartedBin extends SpawnedBin {
  /** With the base path. */
  readonly url: string
  readonly port: number
}

/** Starts `serve` on a free port; resolves when it is listening. */
export async function startBin(...flags: string[]): Promise<StartedBin> {
  const bin = spawnBin(['serve', '--port', '0', '--log', 'json', ...flags])
  await Promise.race([once(bin.child.stdout, 'data'), bin.exit])
  if (bin.out() === '') throw new Error(`The program ended with ${await bin.exit}: ${bin.err()}`)
  const { url, port } = JSON.parse(bin.out().split('\n')[0] ?? '') as { url: string; port: number }
  return { ...bin, url, port }
}
