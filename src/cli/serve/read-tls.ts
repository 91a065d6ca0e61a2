import { readFile } from 'node:fs/promises'
import type { ServeOptions } from '../../runtimes/server.ts'
import { UsageError } from '../io.ts'
import { toFileReason } from '../to-file-reason.ts'
import type { ServerFlags } from './serve-flags.ts'

/** Reads the certificate and its key, and checks that they match. */
export async function readTls({ tlsCert, tlsKey }: ServerFlags): Promise<Pick<ServeOptions, 'tls'>> {
  if (tlsCert === undefined || tlsKey === undefined) return {}
  const tls = { cert: await read('tls-cert', tlsCert), key: await read('tls-key', tlsKey) }
  try {
    // Loaded only when serving over https.
    const { createSecureContext } = await import('node:tls')
    createSecureContext(tls)
  } catch (cause) {
    throw new UsageError(`--tls-cert and --tls-key do not match: ${(cause as Error).message}.`, { cause })
  }
  return { tls }
}

async function read(flag: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new UsageError(`--${flag}: ${path} cannot be read (${toFileReason(cause)}).`, { cause })
  }
}
