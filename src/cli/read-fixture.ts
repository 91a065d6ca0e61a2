import { extname } from 'node:path'
import { isJsonObject } from '../http/exact-json.ts'
import { quote } from '../http/quote.ts'
import { explainList, type Fixture, FixtureError } from '../store/fixture.ts'
import type { FixtureSource } from '../store/load-seed.ts'
import { isShippedFixture, SHIPPED_FIXTURES } from '../store/shipped-fixtures.ts'
import { parseJsonFile } from './fixture-file/parse-json-file.ts'
import { parseYamlFile } from './fixture-file/parse-yaml-file.ts'
import { UsageError } from './io.ts'
import { readBytes } from './read-bytes.ts'
import { isLargeInventory } from './with-progress.ts'

/** The content of a fixture, or the name of a shipped one. */
export interface NamedFixture {
  readonly name: string
  readonly content: FixtureSource
}

/** Announces a large file before it is parsed. */
type Tell = (line: string) => void

/** Reads `--fixture`: a shipped fixture's name, or a file's path. */
export async function readFixture(nameOrPath: string, tell?: Tell): Promise<NamedFixture> {
  if (isShippedFixture(nameOrPath)) return { name: nameOrPath, content: nameOrPath }
  return { name: nameOrPath, content: await readFixtureFile(nameOrPath, tell) }
}

/**
 * Reads a fixture file as YAML, JSON with comments, or JSON, depending on its extension. Does not validate the fixture.
 * @throws {FixtureError} with the line and column of a syntax error.
 */
export async function readFixtureFile(path: string, tell?: Tell): Promise<Fixture> {
  const value = await parseDataFile(await readFixtureBytes(path), path, tell)
  // A bare string could pass for the name of a shipped fixture.
  if (isJsonObject(value)) return value as unknown as Fixture
  throw new FixtureError(path, [`must be a JSON object, got ${quote(value)}${explainList(value)}`])
}

/**
 * Parses a file as YAML, JSON with comments, or JSON, depending on its extension.
 * @throws {FixtureError} with the line and column of a syntax error.
 */
export function parseDataFile(bytes: Uint8Array, path: string, tell?: Tell): unknown {
  const text = decodeUtf8(bytes, path)
  if (isLargeInventory({ text })) tell?.(`Loading ${path}…`)
  const extension = extname(path).toLowerCase()
  if (extension === '.yaml' || extension === '.yml') return parseYamlFile(text, path)
  return parseJsonFile(text, { origin: path, hasComments: extension === '.jsonc' })
}

/** JSON is UTF-8 (RFC 8259, section 8.1). A byte order mark is dropped. @throws {FixtureError} */
export function decodeUtf8(bytes: Uint8Array, origin: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new FixtureError(origin, ['is not UTF-8'], { cause })
  }
}

async function readFixtureBytes(path: string): Promise<Uint8Array> {
  try {
    return await readBytes(path)
  } catch (cause) {
    const shipped = Object.keys(SHIPPED_FIXTURES).join(', ')
    const message = `${path} cannot be read (${toReason(cause)}). Pass a file or the name of a shipped fixture: ${shipped}.`
    throw new UsageError(message, { cause })
  }
}

/** A file system error in plain words. */
export function toReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'no such file',
    EISDIR: 'it is a folder',
    EACCES: 'permission denied',
    ENOTDIR: 'part of its path is not a folder',
    ELOOP: 'its symbolic links form a loop',
    EROFS: 'the file system is read-only',
    ENOSPC: 'no space left on the disk',
    EDQUOT: 'disk quota exceeded',
  }
  return reasons[code ?? ''] ?? message
}
