import { readFile } from 'node:fs/promises'
import { findTlsProblem } from '../../runtimes/server/find-tls-problem.ts'
import type { ServeOptions } from '../../runtimes/server.ts'
import { UsageError } from '../io.ts'
import { toFileReason } from '../to-file-reason.ts'
import type { ServerFlags } from './serve-flags.ts'

/** Reads the certificate and its key, and checks that they match. */
export async function readTls({ tlsCert, tlsKey }: ServerFlags): Promise<Pick<ServeOptions, 'tls'>> {
  if (tlsCert === undefined || tlsKey === undefined) return {}
  const tls = { cert: await read('tls-cert', tlsCert), key: await read('tls-key', tlsKey) }
  const names = { cert: `--tls-cert: ${tlsCert}`, key: `--tls-key: ${tlsKey}` }
  const problem = await findTlsProblem(tls, names)
  if (problem !== undefined) throw new UsageError(problem)
  return { tls }
}

async function read(flag: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new UsageError(`--${flag}: ${path} cannot be read (${toFileReason(cause)}).`, { cause })
  }
}
