import { isJsonObject } from '../http/exact-json.ts'
import { quote } from '../http/quote.ts'
import { explainSource, type Fixture, FixtureError } from '../store/fixture.ts'
import type { FixtureSource } from '../store/seed.ts'
import { isShippedFixture, SHIPPED_FIXTURES } from '../store/seed.ts'
import { UsageError } from './io.ts'
import { parseDataFile, type Tell } from './parse-data-file.ts'
import { readBytes } from './read-bytes.ts'
import { toFileReason } from './to-file-reason.ts'

/** The content of a fixture, or the name of a shipped one. */
export interface NamedFixture {
  readonly name: string
  readonly content: FixtureSource
}

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
  throw new FixtureError(path, [`must be a JSON object, got ${quote(value)}${explainSource(value)}`])
}

async function readFixtureBytes(path: string): Promise<Uint8Array> {
  try {
    return await readBytes(path)
  } catch (cause) {
    const shipped = Object.keys(SHIPPED_FIXTURES).join(', ')
    const message = `${path} cannot be read (${toFileReason(cause)}). Pass a file or the name of a shipped fixture: ${shipped}.`
    throw new UsageError(message, { cause })
  }
}
