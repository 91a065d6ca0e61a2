import { extname } from 'node:path'
import { FixtureError } from '../store/fixture.ts'
import { parseJsonFile } from './fixture-file/parse-json-file.ts'
import { parseYamlFile } from './fixture-file/parse-yaml-file.ts'
import { isLargeInventory } from './with-progress.ts'

/** Announces a large file before it is parsed. */
export type Tell = (line: string) => void

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
