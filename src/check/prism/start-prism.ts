import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SPECIFICATION_YAML } from '../../contract/document.gen.ts'
import { MockError } from '../../http/mock-error.ts'
import { findPrism, type PrismProgram } from './find-prism.ts'
import { createPrismPreload } from './prism-preload.ts'

/** Options of `startPrism`. */
interface StartPrismOptions {
  /** The URL that Prism forwards to. The contract's paths are appended to it. */
  readonly upstream: string
  /**
   * The OpenAPI document to validate against, as text.
   * @default the service's
   */
  readonly document?: string
  /** Aborts the start. */
  readonly signal?: AbortSignal | undefined
  /** @default findPrism */
  readonly find?: () => PrismProgram
}

/** A running Prism. It stops with this process, and does not keep this process alive. */
export interface RunningPrism extends AsyncDisposable {
  /** `http://127.0.0.1:4010`. The contract's paths are directly below it, without the base path. */
  readonly url: string
  /** Stops Prism and waits until it has exited. */
  close(): Promise<void>
}

const START_LIMIT_MS = 60_000
const END_LIMIT_MS = 2_000
/** How much of Prism's output an error quotes, in characters from its end. */
const LONGEST_COMPLAINT = 2_000

/**
 * Starts Prism's validation proxy between a client and `upstream`, on a free port of 127.0.0.1. It forwards everything and
 * reports violations of the specification in the header `sl-violations`.
 * @throws {MockError} `CHECK_UNAVAILABLE` if Prism is not installed or needs a newer Node; `CHECK_FAILED` if it exits, or
 * is not ready within 60 seconds.
 */
export async function startPrism({ find = findPrism, ...options }: StartPrismOptions): Promise<RunningPrism> {
  const { upstream, document = SPECIFICATION_YAML['3.1'], signal } = options
  signal?.throwIfAborted()
  const { script } = find()
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-prism-'))
  const child = await spawnPrism(script, { folder, upstream, document })
  const close = async (): Promise<void> => {
    await end(child)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const port = await waitForPort(child, signal)
    release(child)
    return { url: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close }
  } catch (error) {
    child.kill('SIGKILL')
    await close()
    throw error
  }
}

async function spawnPrism(
  script: string,
  { folder, upstream, document }: { folder: string; upstream: string; document: string },
): Promise<ChildProcess> {
  const file = join(folder, 'openapi.yaml')
  await writeFile(file, document)
  const settings = ['--host=127.0.0.1', '--port=0', '--multiprocess=false', '--verboseLevel=fatal']
  const { NODE_OPTIONS: _, NODE_USE_ENV_PROXY: __, ...env } = process.env
  const args = ['--import', createPrismPreload(folder), script, 'proxy', file, upstream, ...settings]
  return spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...env, SCARF_ANALYTICS: 'false' },
    windowsHide: true,
  })
}

async function waitForPort(child: ChildProcess, signal: AbortSignal | undefined): Promise<number> {
  const complaint = collectComplaint(child)
  const limit = AbortSignal.timeout(START_LIMIT_MS)
  const stop = AbortSignal.any(signal === undefined ? [limit] : [limit, signal])
  const settled = new AbortController()
  const options = { signal: AbortSignal.any([stop, settled.signal]) }
  try {
    // `exit` may fire before the last output is read; `close` fires after it.
    const ended = once(child, 'close', options).then(([code]) => {
      throw toStartError(`it ended with code ${code}. It said:\n${complaint()}`)
    })
    const [{ port }] = (await Promise.race([once(child, 'message', options), ended])) as [{ port: number }]
    settled.abort()
    ended.catch(() => {})
    return port
  } catch (error) {
    signal?.throwIfAborted()
    if (limit.aborted) throw toStartError(`it was not ready within 60 seconds. It said:\n${complaint()}`)
    throw error instanceof MockError ? error : toStartError(String(error), error)
  }
}

function collectComplaint(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-LONGEST_COMPLAINT)
  })
  return () => text.trim() || 'Nothing.'
}

/** Prism does not keep this process alive; a server that uses it does. */
function release(child: ChildProcess): void {
  const stderr = child.stderr as Socket | null
  stderr?.removeAllListeners('data').resume().unref()
  child.channel?.unref()
  child.unref()
}

/** Disconnecting makes Prism exit. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  if (child.connected) child.disconnect()
  await once(child, 'exit', { signal: AbortSignal.timeout(END_LIMIT_MS) }).catch(() => {
    child.kill('SIGKILL')
    return once(child, 'exit')
  })
}

function toStartError(reason: string, cause?: unknown): MockError {
  return new MockError('CHECK_FAILED', `Failed to start Prism: ${reason}`, { cause })
}
