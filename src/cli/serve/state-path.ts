import type { Stats } from 'node:fs'
import { access, constants, readdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { UsageError } from '../io.ts'
import { toFileReason } from '../to-file-reason.ts'

/**
 * Resolves a path to its file. Follows symbolic links, even to a file that does not exist yet.
 * @throws {UsageError} if the file cannot be written.
 */
export async function findStateFile(path: string): Promise<string> {
  try {
    const target = await followLinks(resolve(path))
    const stats = await statIfThere(target)
    if (stats === undefined) return target
    if (stats.isDirectory()) throw toError(path, 'it is a folder')
    if (!stats.isFile()) throw toError(path, 'it is not a regular file')
    if (await isMountPoint(target)) throw toError(path, 'it is a mount point; mount its folder instead')
    await access(target, constants.W_OK)
    return target
  } catch (error) {
    throw error instanceof UsageError ? error : toError(path, toFileReason(error), error)
  }
}

export function toError(path: string, reason: string, cause?: unknown): UsageError {
  return new UsageError(`--state: ${path} cannot be written (${reason}).`, { cause })
}

/** The temporary file of a save. It stays behind if the process is killed. */
export function toTemporary(file: string): string {
  return `${file}.${process.pid}.tmp`
}

/** Removes the temporary files of killed saves. The caller must hold the lock. */
export async function removeLeftovers(file: string): Promise<void> {
  const start = `${basename(file)}.`
  for (const name of await readdir(dirname(file))) {
    const isLeftover = name.startsWith(start) && /^(lock\.)?\d+\.tmp$/.test(name.slice(start.length))
    if (isLeftover) await rm(join(dirname(file), name), { force: true })
  }
}

async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const link = await readlink(path).catch(() => undefined)
  if (link !== undefined) return followLinks(resolve(dirname(path), link))
  try {
    return join(await realpath(dirname(path)), basename(path))
  } catch (cause) {
    throw toError(path, `the folder ${dirname(path)}: ${toFileReason(cause)}`)
  }
}

export async function statIfThere(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

/** Containers can mount a single file. A rename cannot replace a mount point. */
async function isMountPoint(file: string): Promise<boolean> {
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  // The fifth field is the mount point, with blanks in octal: https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html.
  const escaped = file.replaceAll(
    /[ \t\n\\]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
  return mounts.split('\n').some((line) => line.split(' ')[4] === escaped)
}
