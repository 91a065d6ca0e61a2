import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from './io.ts'
import { toFileReason } from './to-file-reason.ts'

/**
 * Checks that a file can be written, or made in its folder. Call it before the work whose result would be lost.
 * @param flag The flag that names the file, for the message.
 * @throws {UsageError}
 */
export async function assertWritable(path: string, flag: string): Promise<void> {
  const reason = await findReason(path)
  if (reason !== undefined) throw new UsageError(`${flag}: ${path} cannot be written (${reason}).`)
}

async function findReason(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (stats?.isDirectory()) return 'it is a folder'
  if (stats !== undefined) return findAccessReason(path)
  const folder = dirname(path)
  const parent = await stat(folder).catch(toFileReason)
  if (typeof parent === 'string') return parent === toFileReason({ code: 'ENOENT' }) ? 'no such folder' : parent
  return parent.isDirectory() ? findAccessReason(folder) : 'part of its path is not a folder'
}

function findAccessReason(path: string): Promise<string | undefined> {
  return access(path, constants.W_OK).then(() => undefined, toFileReason)
}
