import { readFile } from 'node:fs/promises'
import { FixtureError } from '../store/fixture.ts'
import { isShippedFixture, SHIPPED_FIXTURES } from '../store/shipped-fixtures.ts'
import { UsageError } from './io.ts'

/** The content of a fixture, or the name of a shipped one. */
export interface NamedFixture {
  readonly name: string
  readonly content: string
}

/** Reads `--fixture`: a shipped fixture's name, or a file's path. */
export async function readFixture(nameOrPath: string): Promise<NamedFixture> {
  if (isShippedFixture(nameOrPath)) return { name: nameOrPath, content: nameOrPath }
  return { name: nameOrPath, content: await readFixtureFile(nameOrPath) }
}

/** @throws {FixtureError} for a file that holds no object, and could pass for the name of a shipped fixture. */
export async function readFixtureFile(path: string): Promise<string> {
  const text = decodeUtf8(await readBytes(path), path)
  if (/^\s*\{/.test(text)) return text
  throw new FixtureError(path, ['must be a JSON object'])
}

/** JSON is UTF-8 (RFC 8259, section 8.1); a byte order mark is left out. @throws {FixtureError} */
export function decodeUtf8(bytes: Uint8Array, origin: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new FixtureError(origin, ['is not UTF-8'], { cause })
  }
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (cause) {
    const shipped = Object.keys(SHIPPED_FIXTURES).join(', ')
    const message = `${path} cannot be read (${toReason(cause)}). Give a file, or a shipped fixture: ${shipped}.`
    throw new UsageError(message, { cause })
  }
}

/** What the system says of a file, in a word. */
export function toReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a folder',
    EACCES: 'permission denied',
    ENOTDIR: 'a part of its path is no folder',
    ELOOP: 'its links lead in a circle',
    EROFS: 'the file system is read-only',
    ENOSPC: 'no space is left on the disk',
    EDQUOT: 'the quota of the disk is used up',
  }
  return reasons[code ?? ''] ?? message
}
